import type { WatermarkPosition } from '../options.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle of the picture, in pixels. */
export interface Place extends Size {
  readonly left: number;
  readonly top: number;
}

/**
 * Where a watermark goes and how large: `scale` percent of the picture's width, height in proportion, smaller only where it would be
 * taller than the picture; flush to the edge or corner of its position. Sides are at least 1; centred ones round down.
 */
export function placeWatermark(picture: Size, mark: Size, scale: number, position: WatermarkPosition): Place {
  const { width, height } = sizeOf(picture, mark, scale);
  const part = { T: 0, M: 0.5, B: 1, L: 0, C: 0.5, R: 1 } as const;
  const vertical = part[position[0] as 'T' | 'M' | 'B'];
  const horizontal = part[position[1] as 'L' | 'C' | 'R'];
  return {
    left: Math.floor((picture.width - width) * horizontal),
    top: Math.floor((picture.height - height) * vertical),
    width,
    height,
  };
}

function sizeOf(picture: Size, mark: Size, scale: number): Size {
  const width = Math.max(1, Math.round((picture.width * scale) / 100));
  const height = Math.max(1, Math.round((mark.height * width) / mark.width));
  if (height <= picture.height) return { width, height };
  const narrower = Math.max(1, Math.round((mark.width * picture.height) / mark.height));
  return { width: Math.min(width, narrower), height: picture.height };
}
