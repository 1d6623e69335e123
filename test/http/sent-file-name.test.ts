import { expect, test } from 'vitest';
import { sentFileName } from '../../src/http/sent-file-name.ts';

test.each([
  ['short', 'a.jpg', 'a.jpg'],
  ['none', '', ''],
  ['exactly as long as it may be', `${'a'.repeat(251)}.jpg`, `${'a'.repeat(251)}.jpg`],
  ['one too long', `${'a'.repeat(252)}.jpg`, `${'a'.repeat(251)}.jpg`],
  ['255 characters of two code units each', '😀'.repeat(255), '😀'.repeat(255)],
  ['more of them', '😀'.repeat(1000), '😀'.repeat(255)],
  ['no extension', 'a'.repeat(1000), 'a'.repeat(255)],
  ['nothing but an extension', `.${'a'.repeat(1000)}`, `.${'a'.repeat(254)}`],
  ['a long extension is none', `a.${'b'.repeat(1000)}`, `a.${'b'.repeat(253)}`],
  ['several dots', `${'a.b'.repeat(300)}.tar.gz`, `${'a.b'.repeat(300).slice(0, 252)}.gz`],
])('%s', (_, sent, kept) => {
  expect(sentFileName(sent)).toBe(kept);
});
