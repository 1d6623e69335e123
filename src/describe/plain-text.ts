/** UTF-16 units of a model's text that are looked at: far more than any alt text, little enough for any pattern below. */
const MOST_UNITS = 4096;

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};
const ENTITY = /&(?:lt|gt|quot|apos|#39|nbsp|amp);/g;

/** Each pattern with what takes its place. Order matters: what holds text inside comes before what is only a sign. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/<(script|style)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, ' '],
  [/<!--[\s\S]*?-->/g, ' '],
  [/<[/!?a-z][^<>]*(?:>|$)/gi, ' '],
  [/[<>]/g, ' '],
  [/```[\w+-]*/g, ' '],
  [/!?\[([^[\]]*)\]\([^()]*\)/g, '$1'],
  [/^\s*(?:#{1,6}|[-*+•])\s+/gm, ''],
  [/^\s*(?:-{3,}|={3,})\s*$/gm, ' '],
  [/\\[nrt]/g, ' '],
  [/[`*\\]|~~/g, ''],
  [/[_|]/g, ' '],
];

/** Scripts in which a joiner or a non-joiner changes how a word is written. */
const JOINING =
  '[[\\p{scx=Arab}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Gujr}\\p{scx=Guru}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Orya}\\p{scx=Sinh}\\p{scx=Taml}\\p{scx=Telu}]&&[\\p{L}\\p{M}]]';
/** What belongs to the character before it, or is needed between two: kept. Everything else that is invisible goes. */
const NEEDED = new RegExp(
  [
    `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
    '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})',
    '(?<=[\\p{Emoji}])\\ufe0f',
  ].join('|'),
  'v',
);
const INVISIBLE = new RegExp(`(?!${NEEDED.source})[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}\\p{DI}\\u2800\\ufffc\\ufffd]`, 'gv');
/** Four marks on one letter are more than any of the languages writes; the rest is noise that towers over lines. */
const MARK_PILE = /(\p{M}{4})\p{M}+/gu;

/**
 * One line of plain text from untrusted text: markup and fences removed, their words kept; controls, bidirectional
 * controls, private and unassigned characters and invisible ones removed, joiners kept where a script or an emoji needs
 * them; NFC; blanks collapsed. Takes time linear in the text, of which it reads the first 4,096 UTF-16 units.
 */
export function plainText(text: string): string {
  let plain = text.slice(0, MOST_UNITS).toWellFormed();
  plain = plain.replace(ENTITY, (entity) => ENTITIES[entity] ?? ' ');
  for (const [pattern, replacement] of MARKUP) plain = plain.replace(pattern, replacement);
  return plain
    .replace(/[\s\p{Z}]+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(MARK_PILE, '$1')
    .normalize('NFC')
    .replace(/ {2,}/g, ' ')
    .trim();
}
