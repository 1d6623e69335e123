import { functionWords } from './function-words.ts';
import { type Language, languageFacts, languages } from './language.ts';

const scripts = {
  Latn: /\p{Script=Latin}/gu,
  Cyrl: /\p{Script=Cyrillic}/gu,
  Hans: /\p{Script=Han}/gu,
  Jpan: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Kore: /\p{Script=Hangul}/gu,
  Arab: /\p{Script=Arabic}/gu,
  Deva: /\p{Script=Devanagari}/gu,
} as const;

/**
 * The share of a text's letters that are at least of the language's script. Names of brands and places are often Latin in any
 * language, and one Han or Hangul character says as much as several Latin letters; a text in Latin has little reason for others.
 */
const LEAST_SHARE = { Latn: 0.5, others: 0.15 } as const;

/** How many function words more than of the language asked show that a text is in another one. */
const MARGIN = 2;

/**
 * Whether a short text can be in the language: by its script, and among languages in Latin script by function words, many of which
 * several languages share. A text without any may be in each of them.
 */
export function speaks(text: string, language: Language): boolean {
  return inScript(text, language) && !inAnotherLatinLanguage(text, language);
}

function inScript(text: string, language: Language): boolean {
  const { script } = languageFacts[language];
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own = text.match(scripts[script])?.length ?? 0;
  return own >= letters * (script === 'Latn' ? LEAST_SHARE.Latn : LEAST_SHARE.others);
}

function inAnotherLatinLanguage(text: string, language: Language): boolean {
  if (!isLatin(language)) return false;
  const found = [...new Set(text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [])];
  const count = (other: Language) => found.filter((word) => functionWords(other).has(word)).length;
  const own = count(language);
  return languages.filter(isLatin).some((other) => count(other) >= own + MARGIN);
}

function isLatin(language: Language): boolean {
  return languageFacts[language].script === 'Latn';
}
