import { functionWords } from './function-words.ts';
import type { Language } from './language.ts';
import { clusterEnds } from './shorten.ts';
import { wordsOf } from './words-of.ts';

const FEWEST_WORDS = 3;
const MOST_WORDS = 8;
/** UTF-16 units, hyphens included: the strictest of the usual ways to count, so the rule holds for each of them. */
const MOST_UNITS = 60;
/** Units of one word where three whole ones do not fit. */
const CUT_WORD_UNITS = 18;

const EXTENSION = /\.(?:jpe?g|jfif|png|apng|webp|avif|gif|hei[cf]|tiff?|bmp|svg)$/i;
/** What models put behind a name, such as quotes, fences and full stops. */
const AFTER = /[\s"'”’»`.*)\]}]+$/u;

/**
 * A file name, without extension, of 3 to 8 lower-case words joined by hyphens, at most 60 characters (UTF-16 units), from
 * untrusted text. Letters of the language's own script with their combining marks (NFC), Latin letters and digits are kept, none
 * is transliterated; everything else parts words (see `wordsOf`). Where there are too many words, function words go first; then
 * whole words are left out at the end. Three words at least, so it is never empty nor a device name such as "con".
 * Applied to its own result it changes nothing.
 * @param fill texts whose words complete a name of fewer than three: two words that fit are better kept than lost
 * @returns undefined when there are fewer than three words in all
 */
export function seoName(text: string, language: Language, fill: readonly string[] = []): string | undefined {
  const found = wordsOf(withoutExtension(text), language);
  const words = found.length < FEWEST_WORDS ? completed(found, language, fill) : found;
  if (words.length < FEWEST_WORDS) return undefined;
  return fits(words) ? words.join('-') : cut(words, language);
}

/** Only the end is looked at: a model's text may be long, and a pattern without an anchor would go through all of it. */
function withoutExtension(text: string): string {
  const end = text.slice(-16);
  const bare = end.replace(AFTER, '').replace(EXTENSION, '');
  return bare.length < end.replace(AFTER, '').length ? text.slice(0, -end.length || undefined) + bare : text;
}

function fits(words: readonly string[]): boolean {
  return words.length <= MOST_WORDS && words.join('-').length <= MOST_UNITS;
}

/** The words and as many more as make three: those that say something before those that do not. */
function completed(words: readonly string[], language: Language, fill: readonly string[]): readonly string[] {
  const empty = functionWords(language);
  const result = [...words];
  for (const word of fill.flatMap((text) => wordsOf(text, language))) {
    if (result.length >= FEWEST_WORDS) break;
    if (!result.includes(word) && !empty.has(word)) result.push(word);
  }
  return result;
}

function cut(words: readonly string[], language: Language): string | undefined {
  const empty = functionWords(language);
  const meaning = words.filter((word) => !empty.has(word));
  const kept = leading(meaning.length >= FEWEST_WORDS ? meaning : words);
  if (kept.length >= FEWEST_WORDS) return kept.join('-');
  const short = words
    .map((word) => (word.length <= CUT_WORD_UNITS ? word : cutWord(word, language)))
    .filter((word) => word !== '');
  return short.length < FEWEST_WORDS ? undefined : leading(short).join('-');
}

/** As many words from the first on as fit. */
function leading(words: readonly string[]): readonly string[] {
  let count = Math.min(words.length, MOST_WORDS);
  while (!fits(words.slice(0, count))) count--;
  return words.slice(0, count);
}

/** The first clusters of a word, never a part of one. */
function cutWord(word: string, language: Language): string {
  const end = clusterEnds(word, language, CUT_WORD_UNITS).findLast((offset) => offset <= CUT_WORD_UNITS);
  return word.slice(0, end ?? 0);
}
