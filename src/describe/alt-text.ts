import { withoutPreamble } from './image-preamble.ts';
import type { Language } from './language.ts';
import { plainText } from './plain-text.ts';
import { segmenterOf } from './segmenter-of.ts';
import { shorten } from './shorten.ts';

/** Grapheme clusters, which are what readers count as characters. */
const MOST_CLUSTERS = 80;
/** UTF-16 units of one cluster: the longest emoji sequence has 15, and no language's letter comes near. */
const CLUSTER_UNITS = 20;
/** Rounds after which a text that still changes is given up. Each round takes something away; nested markup is rarely deep. */
const MOST_ROUNDS = 12;

const QUOTES = ['""', "''", '“”', '‘’', '„“', '‚‘', '«»', '»«', '‹›', '「」', '『』', '””', '’’', '《》'];

/**
 * Alt text from untrusted text: one line of plain NFC text of at most 80 grapheme clusters, cut at the end of a sentence or a
 * word, without markup, quotes around it, invisible characters or words such as "image of", and with a capital at its start.
 * Applied to its own result it changes nothing. Reads the first 4,096 UTF-16 units.
 * @returns undefined when no letter or digit is left
 */
export function altText(text: string, language: Language): string | undefined {
  let settled = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = tidy(settled, language);
    if (next === settled) return /[\p{L}\p{N}]/u.test(next) ? next : undefined;
    settled = next;
  }
  return undefined;
}

function tidy(text: string, language: Language): string {
  const plain = withoutGiants(plainText(text), language);
  const bare = withoutPreamble(withoutEdges(withoutQuotes(plain)), language);
  return withCapital(shorten(bare, language, MOST_CLUSTERS), language);
}

/** Without clusters that are longer than any that is written: they would carry a whole text as one character. */
function withoutGiants(text: string, language: Language): string {
  const clusters = segmenterOf(language, 'grapheme').segment(text);
  let kept = '';
  for (const { segment } of clusters) if (segment.length <= CLUSTER_UNITS) kept += segment;
  return kept;
}

function withoutQuotes(text: string): string {
  const quoted = text.replace(/^(.+[^\p{L}\p{N}\s])[.,]$/u, '$1');
  const pair = QUOTES.find((quotes) => quoted.length > 1 && quoted[0] === quotes[0] && quoted.at(-1) === quotes[1]);
  if (pair !== undefined) return quoted.slice(1, -1).replaceAll(pair[0]!, '').replaceAll(pair[1]!, '').trim();
  return withoutLoneQuote(text);
}

/** Without a quote at either end that has no partner. */
function withoutLoneQuote(text: string): string {
  if ((text.split('"').length - 1) % 2 === 0) return text;
  if (text.startsWith('"')) return text.slice(1).trim();
  return text.endsWith('"') ? text.slice(0, -1).trim() : text;
}

/** Without punctuation that begins no text, and without what ends none. */
function withoutEdges(text: string): string {
  return text
    .replace(/^[\s,;:.!?)\]}·•‐-―\-/=~+،؛。、：，；।]+/u, '')
    .replace(/(?<![\s,;:([{‐-―\-/=~+،؛、：，；])[\s,;:([{‐-―\-/=~+،؛、：，；]+$/u, '');
}

/** A capital at the start, where the script has them and the word is not written like "iPhone". */
function withCapital(text: string, language: Language): string {
  const [, before = '', first = '', second = ''] = /^([¡¿"'“„«(]*)(\p{Ll})(.?)/su.exec(text) ?? [];
  if (first === '' || /\p{Lu}/u.test(second)) return text;
  const dutch = language === 'Nederlands' && first === 'i' && second === 'j';
  const capital = dutch ? 'IJ' : first.toUpperCase();
  const begun = before.length + (dutch ? 2 : first.length);
  return capital.length === (dutch ? 2 : first.length) ? before + capital + text.slice(begun) : text;
}
