import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { readWebpHeader } from '../../../../src/image/formats/webp/header.ts';
import { corpusFiles, fileBytes } from '../../../support/corpus-files.ts';
import { firstDifference } from '../../../support/first-difference.ts';
import { type Libwebp, loadLibwebp } from '../../../support/libwebp.ts';
import { hasTool } from '../../../support/native-tool.ts';
import { type DecodedWebp, decodeFile } from './decode-file.ts';

const stills = corpusFiles('webp', '.webp').filter((file) => {
  const bytes = fileBytes(file);
  return bytes.length > 0 && !readWebpHeader(bytes).animated;
});
const dwebp = hasTool('dwebp');

/** The checksums that libwebp's authors publish for their test vectors, by file and format. */
const checksums = new Map<string, string>();
if (stills[0]) {
  const lines = readFileSync(`${dirname(stills[0].path)}/libwebp_tests.md5`, 'utf8')
    .trim()
    .split('\n');
  for (const line of lines) {
    const [sum, name] = line.split(/\s+/);
    checksums.set(`webp/${name}`, sum!);
  }
}

/** A picture as `dwebp -ppm` writes it. */
function asPpm({ header: { width, height }, pixels }: DecodedWebp): Uint8Array {
  const start = new TextEncoder().encode(`P6\n${width} ${height}\n255\n`);
  const file = new Uint8Array(start.length + width * height * 3);
  file.set(start);
  for (let from = 0, to = start.length; to < file.length; from += 4, to += 3) {
    file[to] = pixels[from]!;
    file[to + 1] = pixels[from + 1]!;
    file[to + 2] = pixels[from + 2]!;
  }
  return file;
}

describe('the corpus', () => {
  it.each(stills.filter(({ name }) => checksums.has(`${name}.ppm`)))('$name has its checksum', async (file) => {
    const ppm = asPpm(await decodeFile(fileBytes(file)));
    expect(createHash('md5').update(ppm).digest('hex')).toBe(checksums.get(`${file.name}.ppm`));
  });

  it.runIf(dwebp).each(stills)('$name is what dwebp makes of it', async (file) => {
    const { header, pixels } = await decodeFile(fileBytes(file));
    const pam = execFileSync('dwebp', ['-quiet', '-pam', file.path, '-o', '-'], { maxBuffer: 2 ** 28 });
    const theirs = new Uint8Array(pam.subarray(pam.length - pixels.length));
    // Where the header denies transparency we do so too; dwebp passes on what the pixels say.
    expect(firstDifference(pixels, header.alpha ? theirs : opaque(theirs))).toBeUndefined();
  });

  it.each(stills.filter((file) => fileBytes(file).length < 300_000))(
    '$name is what sharp makes of it',
    async (file) => {
      const { pixels } = await decodeFile(fileBytes(file));
      const theirs = await sharp(file.path).ensureAlpha().raw().toBuffer();
      expect(firstDifference(pixels, theirs)).toBeUndefined();
    },
  );
});

/** Everything from 10,000 mutations on is a matter of time: PLUME_MUTATIONS sets their number. */
const MUTATIONS = Number(process.env.PLUME_MUTATIONS ?? 600);

describe('damaged files', () => {
  let libwebp: Libwebp;
  beforeAll(async () => {
    libwebp = await loadLibwebp();
  });

  test.runIf(stills.length > 0)('give a clear failure or the picture that libwebp gives', async () => {
    const sources = stills.map(fileBytes).filter(({ length }) => length < 24_000);
    const random = generator(20_261_121);
    const counts = { same: 0, refused: 0, stricter: 0, other: 0 };
    for (let i = 0; i < MUTATIONS; i++) {
      const file = mutated(sources[random(sources.length)]!, random);
      const ours = await decodeFile(file).catch((error: unknown) => {
        expect(error, `mutation ${i}`).toBeInstanceOf(FileError);
        return undefined;
      });
      const theirs = ours && libwebp.decode(file);
      if (ours === undefined) counts.refused++;
      else if (theirs === undefined) counts.stricter++;
      else if (firstDifference(ours.pixels, ours.header.alpha ? theirs : opaque(theirs)) === undefined) counts.same++;
      else counts.other++;
    }
    expect(counts.same).toBeGreaterThan(MUTATIONS / 5);
    // Impossible arithmetic codes (value beyond range), and at most seven bits more patience at the end of a partition.
    expect(counts.other + counts.stricter).toBeLessThanOrEqual(Math.ceil(MUTATIONS / 200));
  });
});

function opaque(pixels: Uint8Array): Uint8Array {
  return pixels.map((sample, at) => ((at & 3) === 3 ? 255 : sample));
}

function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A few bytes overwritten, half of them in the headers, but not the picture's sides: it would only be a large one. */
function mutated(source: Uint8Array, random: (below: number) => number): Uint8Array {
  const file = source.slice();
  const reach = random(2) === 0 ? Math.min(file.length, 120) : file.length;
  const { dataStart } = readWebpHeader(source).detail.image;
  for (let changes = 1 + random(6); changes > 0; changes--) {
    const at = 12 + random(reach - 12);
    if (at < dataStart + 1 || at >= dataStart + 10)
      file[at] = random(2) === 0 ? [0, 1, 0x7f, 0x80, 0xff][random(5)]! : random(256);
  }
  return file;
}
