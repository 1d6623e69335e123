import { functionWords } from './function-words.ts';
import { type Language, languageFacts } from './language.ts';
import { segmenterOf } from './segmenter-of.ts';

/** Where the clusters of a text end, as UTF-16 offsets, for at most `most` of them (UAX #29, extended grapheme clusters). */
export function clusterEnds(text: string, language: Language, most: number): number[] {
  const ends: number[] = [];
  const clusters = segmenterOf(language, 'grapheme').segment(text);
  for (const { index, segment } of clusters) {
    if (ends.length === most) break;
    ends.push(index + segment.length);
  }
  return ends;
}

/**
 * The text cut to at most `most` grapheme clusters: behind a sentence when that keeps half of them, else behind a word (found by
 * `Intl.Segmenter` where no blanks part them), without function words, punctuation or opened brackets left over at the end.
 * A single word that is too long is cut between clusters.
 */
export function shorten(text: string, language: Language, most: number): string {
  const ends = clusterEnds(text, language, most);
  const limit = ends.at(-1) ?? 0;
  if (limit === text.length) return text;
  const sentence = lastSentenceEnd(text, limit);
  if (sentence >= limit / 2) return text.slice(0, sentence);
  const atWord = text.slice(0, lastWordEnd(text, limit, new Set(ends), language));
  return withoutLooseEnds(atWord, language) || text.slice(0, limit);
}

/** Behind the last mark that ends a sentence, or 0. */
function lastSentenceEnd(text: string, limit: number): number {
  let end = 0;
  for (const { index, 0: mark } of text.slice(0, limit + 1).matchAll(/[.!?।؟](?= )|[。！？]/gu)) {
    if (index + mark.length <= limit) end = index + mark.length;
  }
  return end;
}

/** Behind the last whole word; 0 when the first one is too long. A hyphen or an apostrophe joins a word to the next. */
function lastWordEnd(text: string, limit: number, ends: ReadonlySet<number>, language: Language): number {
  let last = 0;
  const words = segmenterOf(language, 'word').segment(text);
  for (const { index, segment, isWordLike } of words) {
    const end = index + segment.length;
    if (end > limit) break;
    if (isWordLike && ends.has(end) && !/^[-‐‑'’·]/u.test(text.slice(end, end + 1))) last = end;
  }
  return last;
}

/** Takes away what cannot end a text: an opened bracket and what follows, a lone quote, function words, punctuation. */
function withoutLooseEnds(text: string, language: Language): string {
  const empty = functionWords(language);
  let kept = withoutOpened(text, '(', ')');
  for (;;) {
    const trimmed = kept.replace(/[^\p{L}\p{M}\p{N}\p{S})\]}”"»」』％%]{1,8}$/u, '');
    const word = lastWord(trimmed, language);
    const next = word !== '' && empty.has(word.toLowerCase()) ? trimmed.slice(0, -word.length) : trimmed;
    if (next === kept) return kept;
    kept = next;
  }
}

function withoutOpened(text: string, open: string, close: string): string {
  const at = text.lastIndexOf(open);
  return at > text.lastIndexOf(close) ? text.slice(0, at) : text;
}

function lastWord(text: string, language: Language): string {
  if (languageFacts[language].spaced) return /[\p{L}\p{M}\p{N}]{0,12}$/u.exec(text)?.[0] ?? '';
  const words = segmenterOf(language, 'word').segment(text);
  return text === '' ? '' : (words.containing(text.length - 1)?.segment ?? '');
}
