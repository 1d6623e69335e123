import { limits } from '../limits.ts';

/** Characters, its dot included, up to which what follows the last dot is an extension. */
const EXTENSION_CHARACTERS = 16;

/**
 * A file's name as it was sent, cut to `limits.sentNameCharacters` (code points): before its extension, which is kept, and never
 * within a character.
 */
export function sentFileName(name: string): string {
  // A code point has up to two code units: below this nothing has to be counted.
  if (name.length <= limits.sentNameCharacters) return name;
  const characters = [...name];
  if (characters.length <= limits.sentNameCharacters) return name;
  const dot = characters.lastIndexOf('.');
  const extension = characters.length - dot <= EXTENSION_CHARACTERS && dot > 0 ? characters.slice(dot) : [];
  return [...characters.slice(0, limits.sentNameCharacters - extension.length), ...extension].join('');
}
