/** What is known of a language of AI results. */
export interface LanguageFacts {
  /** BCP 47 tag, for `Intl` and for `lang` attributes. */
  readonly tag: string;
  /** The language's name in English, as a model's instructions name it. */
  readonly englishName: string;
  /** ISO 15924 code of the script that the language is written in. */
  readonly script: 'Latn' | 'Cyrl' | 'Hans' | 'Jpan' | 'Kore' | 'Arab' | 'Deva';
  /** Whether words stand apart by spaces. Where they do not, `Intl.Segmenter` finds them. */
  readonly spaced: boolean;
}

/** The languages of AI results, by the names that the interface gives them. */
export const languages = [
  'English',
  'Español',
  'Català',
  'Français',
  'Deutsch',
  'Italiano',
  'Português',
  'Nederlands',
  'Polski',
  'Русский',
  '中文',
  '日本語',
  '한국어',
  'Arabic',
  'Hindi',
] as const;
export type Language = (typeof languages)[number];

/** The facts of each language. 中文 is written in simplified characters unless the model answers otherwise. */
export const languageFacts: Readonly<Record<Language, LanguageFacts>> = {
  English: { tag: 'en', englishName: 'English', script: 'Latn', spaced: true },
  Español: { tag: 'es', englishName: 'Spanish', script: 'Latn', spaced: true },
  Català: { tag: 'ca', englishName: 'Catalan', script: 'Latn', spaced: true },
  Français: { tag: 'fr', englishName: 'French', script: 'Latn', spaced: true },
  Deutsch: { tag: 'de', englishName: 'German', script: 'Latn', spaced: true },
  Italiano: { tag: 'it', englishName: 'Italian', script: 'Latn', spaced: true },
  Português: { tag: 'pt', englishName: 'Portuguese', script: 'Latn', spaced: true },
  Nederlands: { tag: 'nl', englishName: 'Dutch', script: 'Latn', spaced: true },
  Polski: { tag: 'pl', englishName: 'Polish', script: 'Latn', spaced: true },
  Русский: { tag: 'ru', englishName: 'Russian', script: 'Cyrl', spaced: true },
  中文: { tag: 'zh-Hans', englishName: 'Simplified Chinese', script: 'Hans', spaced: false },
  日本語: { tag: 'ja', englishName: 'Japanese', script: 'Jpan', spaced: false },
  한국어: { tag: 'ko', englishName: 'Korean', script: 'Kore', spaced: true },
  Arabic: { tag: 'ar', englishName: 'Arabic', script: 'Arab', spaced: true },
  Hindi: { tag: 'hi', englishName: 'Hindi', script: 'Deva', spaced: true },
};
