import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { readPngHeader } from '../../../../src/image/formats/png/header.ts';
import { decodeWhole, seededRandom } from './collect.ts';
import { corpusPngs, hasCorpus, readCorpus } from './corpus.ts';
import { chunk, concat, ihdr, makePng, signature } from './make-png.ts';

/** What libpng, by way of sharp, makes of the file. The profile stays unapplied, as in our decoder; gamma always does. */
async function reference(file: Uint8Array): Promise<Buffer> {
  return sharp(file, { failOn: 'error', ignoreIcc: true }).ensureAlpha().raw().toBuffer();
}

async function accepts(decode: () => Promise<unknown>): Promise<boolean> {
  return decode().then(
    () => true,
    () => false,
  );
}

/** Our verdict: true, or false for a refusal as broken. Anything else that is thrown fails the test. */
async function weAccept(file: Uint8Array): Promise<boolean> {
  try {
    await decodeWhole(file);
    return true;
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== 'broken_image') throw error;
    return false;
  }
}

describe.skipIf(!hasCorpus)('corpus', () => {
  test.each(corpusPngs('png', 'screens', 'watermarks'))('%s is decoded as libpng does', async (path) => {
    const file = readCorpus(path);
    const { header, pixels } = await decodeWhole(file);
    expect(Buffer.compare(pixels, await reference(file))).toBe(0);
    expect(Buffer.compare((await decodeWhole(file, 3000)).pixels, pixels)).toBe(0);
    if (!header.alpha) expect(pixels.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true);
  });

  const refused: Record<string, RegExp> = {
    'bad_iCCP.png': /IHDR chunk fails its checksum/,
    'badadler.png': /compressed picture data cannot be read/,
    'badcrc.png': /picture data fails its checksum/,
    'huge_IDAT.png': /IDAT chunk runs past the end/,
    'truncated.png': /IDAT chunk runs past the end/,
  };
  const broken = corpusPngs('broken').filter((path) => !path.includes('65536'));

  test.each(broken)('%s is decoded as libpng does, or refused with the cause', async (path) => {
    const file = readCorpus(path);
    const name = path.slice('broken/'.length);
    const cause = refused[name] ?? (name.startsWith('huge_') ? /chunk runs past the end/ : undefined);
    if (cause) {
      await expect(decodeWhole(file)).rejects.toThrow(cause);
      await expect(decodeWhole(file, 3000)).rejects.toThrow(cause);
    } else expect(Buffer.compare((await decodeWhole(file)).pixels, await reference(file))).toBe(0);
  });

  test('the header of a picture with absurd dimensions is read without taking memory for it', () => {
    const header = readPngHeader(readCorpus('broken/65536-uint32-limit.png'));
    expect([header.width, header.height]).toEqual([65_536, 65_536]);
  });
});

describe('damage', () => {
  const random = seededRandom(7);
  const rows = Uint8Array.from({ length: 9 * 28 }, (_, at) => (at % 28 === 0 ? (at / 28) % 5 : random(256)));
  const whole = makePng(ihdr(9, 9, 8, 2), rows, chunk('tEXt', [65, 0, 66]));

  test('is refused at every length at which picture data is missing; a missing IEND is not minded', async () => {
    for (let length = 0; length <= whole.length; length++) {
      const cut = whole.slice(0, length);
      const ours = await weAccept(cut);
      expect([length, ours]).toEqual([length, length >= whole.length - 12]);
      // libpng minds a missing IEND as well, but never refuses less than we do.
      if (ours === false) expect([length, await accepts(() => reference(cut))]).toEqual([length, false]);
    }
  });

  test('bytes behind IEND are ignored', async () => {
    const trailed = concat(whole, Uint8Array.of(1, 2, 3));
    expect(Buffer.compare((await decodeWhole(trailed)).pixels, await reference(trailed))).toBe(0);
  });

  test('one changed bit in an IDAT or IHDR is found by its checksum, in an ancillary chunk it is not minded', async () => {
    const ancillary = signature.length + 25;
    for (let at = 0; at < whole.length; at++) {
      const changed = whole.slice();
      changed[at] = changed[at]! ^ (1 << random(8));
      const inText = at >= ancillary + 8 && at < ancillary + 15;
      const ours = await weAccept(changed);
      const inEnd = at >= whole.length - 12;
      const inTextFrame = at >= ancillary && at < ancillary + 8;
      if (inText || inEnd) expect([at, ours]).toEqual([at, true]);
      else if (!inTextFrame) expect([at, ours]).toEqual([at, false]);
    }
  });
});
