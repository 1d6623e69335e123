import sharp, { type Sharp } from 'sharp';
import { scenePixels } from '../../test/conformance/support/pictures.ts';

const CHANNELS = 3;

/** A picture with the sides of a phone's photo (12.2 megapixels), with the same fine grain everywhere. */
export function photo(): Sharp {
  const [width, height] = [4032, 3024];
  return sharp(scenePixels(width, height), { raw: { width, height, channels: CHANNELS } });
}

/** 100 megapixels, the most that is accepted, whose files stay below 20 MB: every pixel of a scene is a square of 10 × 10. */
export function giant(): Sharp {
  const side = 1000;
  return sharp(scenePixels(side, side), { raw: { width: side, height: side, channels: CHANNELS } }).resize(
    side * 4,
    side * 4,
    { kernel: 'nearest' },
  );
}
