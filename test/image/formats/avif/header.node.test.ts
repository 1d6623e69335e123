import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sniffAvif } from '../../../../src/image/formats/avif/file-type.ts';
import { type AvifHeader, readAvifHeader } from '../../../../src/image/formats/avif/header.ts';
import { stripAvifMetadata } from '../../../../src/image/formats/avif/strip-metadata.ts';
import { type CorpusFile, corpusFiles, fileBytes } from '../../../support/corpus-files.ts';
import { onlyFileErrors } from '../../../support/damage.ts';
import { digest, hasTool, inFolder, run } from '../../../support/native-tool.ts';

const files = corpusFiles('avif', '.avif');
const avifdec = hasTool('avifdec');
const avifenc = hasTool('avifenc');
const exiftool = hasTool('exiftool');

const base = ({ name }: CorpusFile) => name.replace('avif/', '').replace('.avif', '');

/** Sides as shown: turned ones are exchanged. */
function shown({ width, height, orientation }: AvifHeader): number[] {
  return orientation > 4 ? [height, width] : [width, height];
}

describe('AVIF headers against sharp', () => {
  /** libheif reads it; libavif, which decodes for the product, demands ispe of every alpha plane. */
  const refusedHere = ['alpha_noispe'];

  it.each(files)('$name', async (file) => {
    const bytes = fileBytes(file);
    expect(sniffAvif(bytes.subarray(0, 64))).toBe(true);
    const header = onlyFileErrors(() => readAvifHeader(bytes));
    const theirs = await sharp(bytes)
      .metadata()
      .catch(() => undefined);
    expect(header === undefined).toBe(refusedHere.includes(base(file)));
    // sharp knows no sequences (brand avis); here they are recognised as animated and refused by that name.
    if (theirs === undefined) expect(header?.animated).toBe(true);
    if (header === undefined || theirs === undefined) return;
    expect({
      shown: shown(header),
      alpha: header.alpha,
      bitDepth: header.bitDepth,
      animated: header.animated,
      profile: header.profile?.kind === 'icc' ? digest(header.profile.bytes) : undefined,
    }).toEqual({
      shown: [theirs.width, theirs.height],
      alpha: theirs.hasAlpha,
      bitDepth: theirs.bitsPerSample,
      animated: false,
      profile: theirs.icc && digest(theirs.icc),
    });
  });
});

/** What avifdec prints of a file, by label. */
function avifInfo(path: string): Map<string, string> | undefined {
  const printed = run('avifdec', '--info', path);
  const lines = [...(printed ?? '').matchAll(/^ \* ([^:]+?)\s*:\s*(.*)$/gm)];
  return lines.length === 0 ? undefined : new Map(lines.map(([, label, value]) => [label!, value!]));
}

/** libavif 0.11 is older than what these files use: size 0 for meta, a tile in a grid twice, a track of size 0. */
const newerThanAvifdec = [
  ...['draw_points_idat_metasize0', 'draw_points_idat_progressive_metasize0', 'colors-animated-8bpc-audio'],
  ...['color_grid_alpha_grid_tile_shared_in_dimg', 'sofa_grid1x5_420_dimg_repeat'],
];
describe.skipIf(!avifdec)('AVIF headers against avifdec', () => {
  /** Alpha of a grid by one plane a tile came to libavif in 1.0. */
  const alphaNotSeen = ['color_grid_alpha_nogrid'];
  /** libavif looks at the tracks of these, which have alpha; the primary item, which is read here, has none. */
  const alphaInTrackOnly = ['colors-animated-8bpc-depth-exif-xmp'];

  it.each(files)('$name', (file) => {
    const header = onlyFileErrors(() => readAvifHeader(fileBytes(file)));
    const info = avifInfo(file.path);
    expect(info === undefined).toBe(header === undefined || newerThanAvifdec.includes(base(file)));
    if (header === undefined || info === undefined) return;
    const { coded, subsampling } = header.detail;
    expect(`${coded.width}x${coded.height}`).toBe(info.get('Resolution'));
    expect(String(header.bitDepth)).toBe(info.get('Bit Depth'));
    expect(`YUV${subsampling}`).toBe(info.get('Format'));
    if (![...alphaNotSeen, ...alphaInTrackOnly].includes(base(file))) {
      expect(header.alpha).toBe(info.get('Alpha') !== 'Absent');
    }
    if (header.profile?.kind === 'cicp') {
      const { primaries, transfer } = header.profile;
      expect([primaries, transfer].map(String)).toEqual([info.get('Color Primaries'), info.get('Transfer Char.')]);
    } else {
      expect(['1', '2']).toContain(info.get('Color Primaries'));
      expect(header.profile !== undefined).toBe(info.get('ICC Profile') !== 'Absent');
    }
  });
});

describe.skipIf(!avifenc)('AVIF orientation against sharp, which applies irot and imir', () => {
  const combinations = [0, 1, 2, 3].flatMap((turns) => [undefined, 0, 1].map((axis) => ({ turns, axis })));
  // Four colours in the corners of a picture that is not square: no two orientations look alike.
  const stored = sharp(
    Buffer.from(
      '<svg width="64" height="32"><rect width="64" height="32" fill="#fff"/><rect width="32" height="16" fill="#f00"/>' +
        '<rect x="32" width="32" height="16" fill="#0f0"/><rect y="16" width="32" height="16" fill="#00f"/></svg>',
    ),
  ).removeAlpha();

  it.each(combinations)('irot $turns, imir $axis', ({ turns, axis }) =>
    inFolder(async (write, folder) => {
      const png = write('stored.png', await stored.clone().png().toBuffer());
      const mirror = axis === undefined ? [] : ['--imir', String(axis)];
      const out = `${folder}/turned.avif`;
      run('avifenc', '-s', '10', '--lossless', '--irot', String(turns), ...mirror, png, out);
      const bytes = new Uint8Array(readFileSync(out));
      const { orientation } = readAvifHeader(bytes);
      const expected = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const tagged = await stored.clone().withMetadata({ orientation }).png().toBuffer();
      const turned = await sharp(tagged).autoOrient().removeAlpha().raw().toBuffer({ resolveWithObject: true });
      expect([turned.info.width, turned.info.height]).toEqual([expected.info.width, expected.info.height]);
      const furthest = turned.data.reduce(
        (most, value, index) => Math.max(most, Math.abs(value - expected.data[index]!)),
        0,
      );
      expect(furthest).toBeLessThanOrEqual(2);
    }),
  );
});

describe('stripped AVIFs', () => {
  const stills = files.filter((file) => onlyFileErrors(() => readAvifHeader(fileBytes(file)))?.animated === false);

  /** The decoded planes, alpha included, without any colour conversion; undefined where libavif 0.11 cannot read the file. */
  function planes(path: string, out: string): Buffer | undefined {
    return run('avifdec', '--no-strict', path, out) === undefined ? undefined : readFileSync(out);
  }

  it.each(stills)('$name decodes to the same pixels', (file) =>
    inFolder(async (write, folder) => {
      const bytes = fileBytes(file);
      const { profile, ...header } = readAvifHeader(bytes);
      const stripped = Buffer.concat(stripAvifMetadata(bytes, { ...header, ...(profile && { profile }) }));
      expect(stripped.length).toBeLessThanOrEqual(bytes.length);
      const again = readAvifHeader(new Uint8Array(stripped));
      expect(again).toEqual(profile?.kind === 'cicp' ? { ...header, profile } : header);
      const decode = (input: Uint8Array) =>
        sharp(input, { ignoreIcc: true })
          .raw()
          .toBuffer()
          .then(digest, () => undefined);
      expect(await decode(stripped)).toEqual(await decode(bytes));
      if (!avifdec) return;
      const before = planes(file.path, `${folder}/before.y4m`);
      const after = planes(write('stripped.avif', stripped), `${folder}/after.y4m`);
      expect(before === undefined).toBe(newerThanAvifdec.includes(base(file)));
      if (before !== undefined) expect(after?.equals(before)).toBe(true);
    }),
  );

  it.skipIf(!exiftool || stills.length === 0)('hold nothing that exiftool knows', () =>
    inFolder((write, folder) => {
      for (const [index, file] of stills.entries()) {
        const bytes = fileBytes(file);
        write(`${index}.avif`, Buffer.concat(stripAvifMetadata(bytes, readAvifHeader(bytes))));
      }
      const found = run('exiftool', '-q', '-j', '-G1', '-EXIF:all', '-XMP:all', '-GPS:all', '-ICC_Profile:all', folder);
      const tags = (JSON.parse(found ?? '[]') as Record<string, unknown>[]).flatMap((file) => Object.keys(file));
      expect(tags).toEqual(stills.map(() => 'SourceFile'));
    }),
  );
});
