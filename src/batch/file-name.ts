import { limits } from '../limits.ts';

/** The base name where nothing of the original is usable. */
const NAMELESS = 'image';
/** Control characters, line and paragraph separators, and marks that turn the direction of text around. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * The name of a result: the original's base name, without path parts and control characters, and the new extension.
 * A name that is in `taken` gets `-2`, `-3` …; the name returned is put there. At most `limits.fileNameCharacters`
 * characters; what is too long is cut from the base name.
 * @param original the file's name as sent, whatever it holds
 * @param extension without its dot
 */
export function fileName(original: string, extension: string, taken: Set<string>): string {
  const base = baseName(original);
  for (let count = 1; ; count++) {
    const end = `${count === 1 ? '' : `-${count}`}.${extension}`;
    const name = cut(base, limits.fileNameCharacters - end.length) + end;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

/** What stands before the last dot of the last path part; never empty. */
function baseName(original: string): string {
  const name = original
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .replace(UNSAFE, '');
  const dot = name.lastIndexOf('.');
  const base = (dot > 0 ? name.slice(0, dot) : name).replace(/^[\s.]+/, '');
  return trimEnd(base) || NAMELESS;
}

/** Cuts between characters, never within one, and leaves no blank or dot at the end. */
function cut(base: string, characters: number): string {
  return trimEnd([...base].slice(0, characters).join('')) || NAMELESS;
}

/** A loop, since a pattern for this takes quadratic time on a name of blanks. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}
