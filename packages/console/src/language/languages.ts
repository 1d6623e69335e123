import type { Messages } from './english.ts';

/** The languages of the console, by BCP 47 tag, each with its own name and the table that is loaded when it is chosen. */
export const languages = {
  en: { name: 'English', load: async () => undefined },
  es: { name: 'Español', load: async () => (await import('./tables/es.ts')).es },
  ca: { name: 'Català', load: async () => (await import('./tables/ca.ts')).ca },
  fr: { name: 'Français', load: async () => (await import('./tables/fr.ts')).fr },
  de: { name: 'Deutsch', load: async () => (await import('./tables/de.ts')).de },
  it: { name: 'Italiano', load: async () => (await import('./tables/it.ts')).it },
  pt: { name: 'Português', load: async () => (await import('./tables/pt.ts')).pt },
  nl: { name: 'Nederlands', load: async () => (await import('./tables/nl.ts')).nl },
  pl: { name: 'Polski', load: async () => (await import('./tables/pl.ts')).pl },
  ru: { name: 'Русский', load: async () => (await import('./tables/ru.ts')).ru },
  'zh-Hans': { name: '中文', load: async () => (await import('./tables/zh.ts')).zh },
  ja: { name: '日本語', load: async () => (await import('./tables/ja.ts')).ja },
  ko: { name: '한국어', load: async () => (await import('./tables/ko.ts')).ko },
  ar: { name: 'العربية', load: async () => (await import('./tables/ar.ts')).ar },
  hi: { name: 'हिन्दी', load: async () => (await import('./tables/hi.ts')).hi },
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
