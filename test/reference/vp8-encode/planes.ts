/** One plane of samples, row by row. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly samples: Uint8Array;
}

/** Luma and the two chroma planes of half its sides, in whole macroblocks. */
export interface Planes {
  readonly y: Plane;
  readonly u: Plane;
  readonly v: Plane;
}

/** Empty planes of so many macroblocks. */
export function planesOf(mbWidth: number, mbHeight: number): Planes {
  return {
    y: plane(mbWidth * 16, mbHeight * 16),
    u: plane(mbWidth * 8, mbHeight * 8),
    v: plane(mbWidth * 8, mbHeight * 8),
  };
}

function plane(width: number, height: number): Plane {
  return { width, height, samples: new Uint8Array(width * height) };
}

/** The planes of a picture, cut to its size and one behind the other, as `dwebp -yuv` writes them. */
export function cutPlanes({ y, u, v }: Planes, width: number, height: number): Uint8Array {
  const across = Math.ceil(width / 2);
  const down = Math.ceil(height / 2);
  return Buffer.concat([...rows(y, width, height), ...rows(u, across, down), ...rows(v, across, down)]);
}

function rows({ width, samples }: Plane, across: number, down: number): Uint8Array[] {
  return Array.from({ length: down }, (_, row) => samples.subarray(row * width, row * width + across));
}
