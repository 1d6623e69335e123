import { computed, signal } from '@preact/signals';

const base = '/console/';
export const pages = ['optimise', 'history', 'usage', 'keys', 'operator'] as const;
export type PageName = (typeof pages)[number];

const path = signal(location.pathname);
addEventListener('popstate', () => {
  path.value = location.pathname;
});

/** The page of the address. */
export const page = computed<PageName>(() => {
  const name = path.value.slice(base.length).replace(/\/$/, '');
  return pages.find((other) => other === name) ?? 'optimise';
});

export function addressOf(name: PageName): string {
  return name === 'optimise' ? base : `${base}${name}/`;
}

/** Goes to a page, as a link to it would. */
export function goTo(name: PageName): void {
  if (page.value === name) return;
  history.pushState(null, '', addressOf(name));
  path.value = location.pathname;
  scrollTo(0, 0);
}

/** A click on a link to a page: what asks for a new tab or a download is the browser's. */
export function followHere(event: MouseEvent, name: PageName): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  goTo(name);
}
