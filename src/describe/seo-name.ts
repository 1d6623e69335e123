import type { Language } from './language.ts';

/**
 * SEO file name (without extension) of 3 to 8 words from untrusted text; undefined when there are fewer than three words.
 * `fill`: further texts whose words complete a name of fewer than three.
 */
export function seoName(text: string, _language: Language, fill: readonly string[] = []): string | undefined {
  const words =
    [text, ...fill]
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.length < 3 ? undefined : words.slice(0, 8).join('-').slice(0, 60);
}
