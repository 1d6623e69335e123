import type { FormatId } from '../../src/image/formats/format-id.ts';

/** What an image shows; `noise` and its like stand for the worst, `photo` for what people send. */
export type Content = 'noise' | 'corners' | 'grain' | 'texture' | 'photo';

/** One job whose CPU time is measured. */
export interface CpuJob {
  readonly name: string;
  readonly kind: 'noise' | 'texture' | 'photo';
  readonly make: Content;
  readonly width: number;
  readonly height: number;
  /** Format of the source and its quality or manner. */
  readonly source: string;
  readonly options: { readonly format: FormatId; readonly quality?: number; readonly maxWidth?: number };
  readonly rotated?: boolean;
}

const sides = { 1: [1152, 864], 4: [2304, 1728], 12: [4032, 3024], 24: [5664, 4240], 50: [8160, 6128] } as const;
type Size = keyof typeof sides;

function job(make: Content, size: Size, source: string, options: CpuJob['options'], rotated = false): CpuJob {
  const [width, height] = sides[size];
  const kind = make === 'photo' || make === 'texture' ? make : 'noise';
  const asked = [options.format, options.quality ?? 82, options.maxWidth]
    .filter((each) => each !== undefined)
    .join(' ');
  const name = `${make} ${size} MP ${source}${rotated ? ' rotated' : ''} → ${asked}`;
  return { name, kind, make, width, height, source, options, rotated };
}

const formats = ['webp', 'jpg', 'png', 'avif'] as const;
const sources = ['jpeg 30', 'progressive 90', 'png', 'png alpha', 'webp 80', 'lossless'] as const;
const worst = ['noise', 'corners', 'grain'] as const;

/** The worst content and ordinary content, small and large, from and to every format. */
export const cpuJobs: readonly CpuJob[] = [
  ...worst.flatMap((make) => formats.map((format) => job(make, 1, 'png', { format }))),
  ...worst.flatMap((make) =>
    (['webp', 'jpg', 'avif'] as const).map((format) => job(make, 1, 'png', { format, quality: 95 })),
  ),
  ...sources.flatMap((source) => formats.map((format) => job('noise', 1, source, { format }))),
  ...sources.map((source) => job('noise', 4, source, { format: 'webp', maxWidth: 400 })),
  ...['progressive 90', 'png interlaced', 'png 16', 'webp 80', 'lossless'].map((source) =>
    job('noise', 4, source, { format: 'webp', quality: 40 }, source !== 'lossless'),
  ),
  job('noise', 1, 'avif 60', { format: 'jpg' }),
  job('corners', 4, 'png', { format: 'jpg', quality: 95 }),
  job('corners', 12, 'jpeg 50', { format: 'webp', quality: 100 }),
  job('noise', 24, 'jpeg 30', { format: 'jpg', quality: 40 }),
  ...formats.map((format) => job('texture', 4, 'jpeg 90', { format })),
  job('texture', 12, 'jpeg 90', { format: 'jpg', quality: 90 }),
  ...(['webp', 'jpg', 'png', 'avif'] as const).map((format) => job('photo', 12, 'jpeg 90', { format })),
  ...(['webp', 'jpg', 'png', 'avif'] as const).map((format) => job('photo', 12, 'jpeg 90', { format, maxWidth: 1920 })),
  job('photo', 12, 'jpeg 90', { format: 'jpg', quality: 90 }, true),
  job('photo', 12, 'progressive 90', { format: 'webp', maxWidth: 1920 }),
  job('photo', 12, 'webp 80', { format: 'webp', maxWidth: 1920 }),
  job('photo', 4, 'png', { format: 'png' }),
  job('photo', 4, 'png', { format: 'webp' }),
  job('photo', 50, 'jpeg 85', { format: 'webp' }),
  job('photo', 50, 'jpeg 85', { format: 'jpg', maxWidth: 2560 }),
];
