import { signal } from '@preact/signals';
import { remember, remembered } from './memory.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const theme = signal<Theme>(themes.find((name) => name === remembered('theme')) ?? 'system');
theme.subscribe((name) => {
  document.documentElement.dataset.theme = name;
});

/** Light or dark, whatever the system says; or as it says. */
export function chooseTheme(name: Theme): void {
  theme.value = name;
  remember('theme', name);
}
