import type { Messages } from './english.ts';

/** The languages of the console, by BCP 47 tag, each with its own name and the table that is loaded when it is chosen. */
export const languages = {
  en: { name: 'English', load: async () => undefined },
} as const satisfies Record<string, { name: string; load: () => Promise<Messages | undefined> }>;

export type LanguageTag = keyof typeof languages;
export const languageTags = Object.keys(languages) as LanguageTag[];
export const rightToLeft: readonly LanguageTag[] = ['ar'];

/** The first of the wished-for tags that there is a table for: `pt-BR` is served by `pt`. */
export function bestLanguage(wished: readonly string[]): LanguageTag {
  for (const wish of wished) {
    const base = wish.toLowerCase().split('-')[0];
    const found = languageTags.find((tag) => tag.toLowerCase().split('-')[0] === base);
    if (found !== undefined) return found;
  }
  return 'en';
}
