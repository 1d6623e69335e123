import sharp from 'sharp';
import type { CompressAnswer } from '../../test/conformance/support/client.ts';

/** Tries until a refusal's own advice must have worked. */
const TRIES = 12;

/**
 * Makes the largest result of a format that the service agrees to, by following the advice of its refusals: it says how
 * many megapixels would fit. @returns its sides in a few words
 */
export async function largestOutput(
  picture: Uint8Array,
  format: string,
  send: (pictures: readonly Uint8Array[], options: Record<string, string | number>) => Promise<CompressAnswer>,
): Promise<string> {
  const { width, height } = await sharp(picture).metadata();
  let maxWidth = width;
  for (let tried = 0; tried < TRIES; tried++) {
    const { failures, data, status, text } = await send([picture], { format, maxWidth });
    if (status !== 200) return `${status} ${text}`;
    if (data[0])
      return `${maxWidth} × ${Math.round((maxWidth * height) / width)}, ${Math.round(data[0].optimizedSize / 1000)} kB`;
    const advised = /at most about ([\d.]+) megapixels/.exec(failures[0]?.message ?? '')?.[1];
    if (failures[0]?.error !== 'image_too_large' || advised === undefined)
      return `${failures[0]?.error}: ${failures[0]?.message}`;
    maxWidth = Math.min(Math.floor(Math.sqrt((Number(advised) * 1e6 * width) / height)), Math.floor(maxWidth * 0.98));
  }
  throw new Error(`no size of ${format} was accepted in ${TRIES} tries`);
}
