import { functionWords } from './function-words.ts';
import { type Language, type LanguageFacts, languageFacts } from './language.ts';
import { plainText } from './plain-text.ts';
import { segmenterOf } from './segmenter-of.ts';

/** What a script is written with, as the inside of a character class. Katakana's long-vowel mark is in two scripts. */
const SCRIPTS: Readonly<Record<LanguageFacts['script'], string>> = {
  Latn: '\\p{scx=Latin}',
  Cyrl: '\\p{scx=Cyrillic}',
  Hans: '\\p{scx=Han}',
  Jpan: '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}',
  Kore: '\\p{scx=Hangul}\\p{scx=Han}',
  Arab: '\\p{scx=Arabic}',
  Deva: '\\p{scx=Devanagari}',
};

/** Marks that belong to letters: not those that enclose signs, nor selectors of a glyph. */
const MARKS = '[[\\p{Mn}\\p{Mc}]--\\p{DI}]';

const patterns = new Map(
  Object.entries(SCRIPTS).map(([script, own]) => {
    const letter = `[[[${own}\\p{Script=Latin}]&&\\p{L}][[${own}]&&\\u3007]]`;
    const digit = `[0-9[[${own}]&&\\p{Nd}]]`;
    const mark = `[${MARKS}&&[${own}\\p{scx=Zinh}\\p{scx=Latin}]]`;
    return [script, new RegExp(`(?:(?:${letter}|${digit})${mark}{0,4})+`, 'gv')];
  }),
);

/** Articles, prepositions and pronouns that an apostrophe joins to the word behind them. */
const ELIDED: Partial<Record<Language, RegExp>> = {
  Français: elided('l d j c s n m t qu lorsqu puisqu jusqu'),
  Català: elided('l d s n m t'),
  Italiano: elided('l d c un dell all dall nell sull coll quell quest bell sant'),
  Português: elided('d'),
};

function elided(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${words.replaceAll(' ', '|')})'(?=\\p{L})`, 'giu');
}

/**
 * The words of untrusted text, in lower case without regard to a locale (`I` is `i`), NFC. A word has letters of the language's
 * script and Latin ones, their marks, and digits. Elided words go with their apostrophe (`l'été` is `été`), which readers take
 * for no part of the word; elsewhere an apostrophe joins (`dog's` is `dogs`), as does the Catalan middle dot.
 * 中文 and 日本語: words by `Intl.Segmenter`, single characters in a row joined, and particles left out while three words remain.
 */
export function wordsOf(text: string, language: Language): string[] {
  const facts = languageFacts[language];
  const chunks = lowerCase(plainText(text), language).match(patterns.get(facts.script)!) ?? [];
  if (facts.spaced) return chunks;
  const words = chunks.flatMap((chunk) => segmented(chunk, language));
  const meaning = words.filter((word) => !functionWords(language).has(word));
  return meaning.length >= 3 ? meaning : words;
}

function lowerCase(text: string, language: Language): string {
  const elision = ELIDED[language];
  const plain = text.replace(/[’ʼ＇‘]/gu, "'").replace(/[！-～]/gu, asciiOf);
  return (elision === undefined ? plain : plain.replace(elision, ''))
    .replace(/(?<=\p{L})'(?=\p{L})|(?<=l)[·‧](?=l)|ـ|[\u200c\u200d]/giu, '')
    .toLowerCase()
    .replace(/i\u0307+/gu, 'i')
    .normalize('NFC');
}

/** The ASCII character of a full-width one (U+FF01 to U+FF5E). */
function asciiOf(wide: string): string {
  return String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
}

const KATAKANA = /^[\p{scx=Katakana}]+$/u;
const HAN = /^\p{scx=Han}$/u;

/**
 * The dictionary of the segmenter takes loan words and names apart that it does not know: parts in katakana that follow each
 * other are one word, and so are single Han characters that are no particles.
 */
function segmented(chunk: string, language: Language): string[] {
  const particles = functionWords(language);
  const single = (word: string) => HAN.test(word) && !particles.has(word);
  const words: string[] = [];
  let before = '';
  for (const { segment } of segmenterOf(language, 'word').segment(chunk)) {
    const joins = (KATAKANA.test(before) && KATAKANA.test(segment)) || (single(before) && single(segment));
    if (joins) words[words.length - 1] += segment;
    else words.push(segment);
    before = segment;
  }
  return words;
}
