import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readJpegHeader, sniffJpeg } from '../../../../src/image/formats/jpeg/header.ts';
import { stripJpegMetadata } from '../../../../src/image/formats/jpeg/strip-metadata.ts';
import { corpusFiles, fileBytes } from '../../../support/corpus-files.ts';
import { onlyFileErrors } from '../../../support/damage.ts';
import { digest, hasTool, inFolder, run } from '../../../support/native-tool.ts';

const readable = [...corpusFiles('jpeg', '.jpg'), ...corpusFiles('photos', '.jpg')];
const files = [...readable, ...corpusFiles('broken', '.jpg')];
const exiftool = hasTool('exiftool');

/** The pixels as stored. Profile and orientation are left alone; grey stays grey, CMYK stays CMYK. */
async function pixels(bytes: Uint8Array): Promise<Buffer> {
  return sharp(bytes, { limitInputPixels: false, failOn: 'none', ignoreIcc: true }).raw().toBuffer();
}

describe('JPEG headers against sharp', () => {
  it.each(files)('$name', async (file) => {
    const bytes = fileBytes(file);
    expect(sniffJpeg(bytes.subarray(0, 64))).toBe(true);
    const header = onlyFileErrors(() => readJpegHeader(bytes));
    const theirs = await sharp(bytes, { limitInputPixels: false })
      .metadata()
      .catch(() => undefined);
    // Both read it, or neither: broken/corrupt-header.jpg ends inside its tables.
    expect(header === undefined).toBe(theirs === undefined);
    if (header === undefined || theirs === undefined) return;
    expect({
      size: [header.width, header.height],
      orientation: header.orientation,
      model: header.model,
      profile: header.profile?.kind === 'icc' ? digest(header.profile.bytes) : undefined,
      progressive: header.detail.progressive,
    }).toEqual({
      size: [theirs.width, theirs.height],
      orientation: theirs.orientation ?? 1,
      model: { 'b-w': 'grey', srgb: 'rgb', cmyk: 'cmyk' }[String(theirs.space)],
      profile: theirs.icc && digest(theirs.icc),
      progressive: theirs.isProgressive,
    });
  });
});

describe('stripped JPEGs', () => {
  // 280 megapixels are much to decode; its coded data is compared in the worker's tests like any other's.
  const decodable = readable.filter(({ name }) => name !== 'jpeg/giant-dimensions.jpg');

  it.each(decodable)('$name decodes to the same pixels', async (file) => {
    const bytes = fileBytes(file);
    const stripped = Buffer.concat(stripJpegMetadata(bytes, readJpegHeader(bytes)));
    expect(stripped.length).toBeLessThanOrEqual(bytes.length);
    const metadata = await sharp(stripped).metadata();
    const { exif, xmp, icc, iptc, orientation, comments } = metadata;
    expect({ exif, xmp, icc, iptc, orientation, comments }).toEqual({});
    expect((await pixels(stripped)).equals(await pixels(bytes))).toBe(true);
  });

  it.skipIf(!exiftool || readable.length === 0)('hold nothing that exiftool knows', () =>
    inFolder((write, folder) => {
      for (const [index, file] of readable.entries()) {
        const bytes = fileBytes(file);
        write(`${index}.jpg`, Buffer.concat(stripJpegMetadata(bytes, readJpegHeader(bytes))));
      }
      const groups = [
        '-EXIF:all',
        '-XMP:all',
        '-GPS:all',
        '-IPTC:all',
        '-ICC_Profile:all',
        '-MPF:all',
        '-Photoshop:all',
      ];
      const found = run(
        'exiftool',
        '-q',
        '-j',
        '-G1',
        ...groups,
        '-Comment',
        '-Trailer:all',
        '-ThumbnailImage',
        folder,
      );
      const tags = (JSON.parse(found ?? '[]') as Record<string, unknown>[]).flatMap((file) => Object.keys(file));
      expect(tags.filter((tag) => tag !== 'SourceFile')).toEqual([]);
      expect(tags).toHaveLength(readable.length);
    }),
  );
});
