import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodePng, planPngEncode } from '../../../../src/image/formats/png/encode-png.ts';
import { bandsOf, joined, pictureKinds, randomPicture, seededRandom, within } from './collect.ts';

test.each(pictureKinds)('libpng reads %s as they were given, without a warning', async (kind) => {
  const random = seededRandom(kind.length + 100);
  for (let size = 1; size <= 20; size++) {
    const { pixels, frame } = randomPicture(kind, size, 1 + random(20), random);
    const file = await within(planPngEncode(frame).cost, (workspace) =>
      joined(encodePng(bandsOf(pixels, frame.width, 1 + random(9)), frame, workspace)),
    );
    const read = await sharp(file, { failOn: 'warning' }).ensureAlpha().raw().toBuffer();
    expect(Buffer.compare(read, pixels)).toBe(0);
  }
});
