import { type Language, languageFacts } from './language.ts';

const segmenters = new Map<string, Intl.Segmenter>();

/** The segmenter of a language; made once, since making one costs more than to use it on a short text. */
export function segmenterOf(language: Language, granularity: 'grapheme' | 'word'): Intl.Segmenter {
  const key = `${granularity} ${language}`;
  const known = segmenters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.Segmenter(languageFacts[language].tag, { granularity });
  segmenters.set(key, made);
  return made;
}
