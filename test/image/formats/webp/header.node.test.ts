import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readWebpHeader, sniffWebp } from '../../../../src/image/formats/webp/header.ts';
import { stripWebpMetadata } from '../../../../src/image/formats/webp/strip-metadata.ts';
import { corpusFiles, fileBytes } from '../../../support/corpus-files.ts';
import { onlyFileErrors } from '../../../support/damage.ts';
import { digest, hasTool, inFolder, run } from '../../../support/native-tool.ts';

const files = corpusFiles('webp', '.webp').filter((file) => fileBytes(file).length > 0);
const webpinfo = hasTool('webpinfo');
const exiftool = hasTool('exiftool');

/** A lossless and a lossy picture with everything that can be attached. */
async function madeWithMetadata(): Promise<Buffer[]> {
  const picture = sharp({
    create: { width: 61, height: 37, channels: 4, background: { r: 9, g: 99, b: 199, alpha: 0.5 } },
  });
  const exif = { IFD0: { Copyright: 'Somebody', ImageDescription: 'A note' }, IFD3: { GPSLatitudeRef: 'N' } };
  const rich = () =>
    picture.clone().keepMetadata().withExif(exif).withIccProfile('p3').withXmp('<x:xmpmeta xmlns:x="a"/>');
  return Promise.all([
    rich().withMetadata({ orientation: 6 }).webp({ lossless: true }).toBuffer(),
    rich().webp({ quality: 80 }).toBuffer(),
    rich().removeAlpha().webp({ quality: 80 }).toBuffer(),
  ]);
}

async function sharpView(bytes: Uint8Array) {
  const theirs = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  return (
    theirs && {
      size: [theirs.width, theirs.pageHeight ?? theirs.height],
      alpha: theirs.hasAlpha,
      orientation: theirs.orientation ?? 1,
      animated: (theirs.pages ?? 1) > 1,
      profile: theirs.icc && digest(theirs.icc),
    }
  );
}

function ourView(bytes: Uint8Array) {
  const header = onlyFileErrors(() => readWebpHeader(bytes));
  return (
    header && {
      size: [header.width, header.height],
      alpha: header.alpha,
      orientation: header.orientation,
      animated: header.animated,
      profile: header.profile?.kind === 'icc' ? digest(header.profile.bytes) : undefined,
    }
  );
}

describe('WebP headers against sharp', () => {
  it.each(files)('$name', async (file) => {
    const bytes = fileBytes(file);
    const ours = ourView(bytes);
    expect(sniffWebp(bytes.subarray(0, 64))).toBe(ours !== undefined);
    expect(ours).toEqual(await sharpView(bytes));
  });

  it('agree on profile, orientation and alpha of files with all of them', async () => {
    for (const bytes of await madeWithMetadata()) {
      const ours = ourView(new Uint8Array(bytes));
      expect(ours?.profile).toBeDefined();
      expect(ours).toEqual(await sharpView(bytes));
    }
  });
});

async function samePixels(before: Uint8Array, after: Uint8Array): Promise<boolean> {
  const [first, second] = await Promise.all(
    [before, after].map((bytes) => sharp(bytes, { animated: true, ignoreIcc: true }).raw().toBuffer()),
  );
  return first!.equals(second!);
}

describe('stripped WebPs', () => {
  const readable = files.filter((file) => onlyFileErrors(() => readWebpHeader(fileBytes(file))) !== undefined);

  it.each(readable)('$name decodes to the same pixels', async (file) => {
    const bytes = fileBytes(file);
    const stripped = Buffer.concat(stripWebpMetadata(bytes, readWebpHeader(bytes)));
    expect(stripped.length).toBeLessThanOrEqual(bytes.length);
    expect(readWebpHeader(new Uint8Array(stripped)).width).toBe(readWebpHeader(bytes).width);
    expect(await samePixels(bytes, stripped)).toBe(true);
  });

  it('hold nothing of what was attached, and webpinfo finds no fault', async () => {
    for (const made of await madeWithMetadata()) {
      const bytes = new Uint8Array(made);
      const stripped = Buffer.concat(stripWebpMetadata(bytes, readWebpHeader(bytes)));
      expect(await samePixels(bytes, stripped)).toBe(true);
      const { exif, xmp, icc, orientation } = await sharp(stripped).metadata();
      expect({ exif, xmp, icc, orientation }).toEqual({});
      await inFolder((write) => {
        const path = write('stripped.webp', stripped);
        if (webpinfo) expect(run('webpinfo', path)).toMatch(/No error detected/);
        if (exiftool)
          expect(JSON.parse(run('exiftool', '-j', '-EXIF:all', '-XMP:all', '-ICC_Profile:all', path)!)).toEqual([
            { SourceFile: path },
          ]);
      });
    }
  });
});
