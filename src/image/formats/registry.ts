import { avif } from './avif/avif.ts';
import type { Format, FormatId } from './format.ts';
import { jpeg } from './jpeg/jpeg.ts';
import { png } from './png/png.ts';
import { webp } from './webp/webp.ts';

/** Every format, by its id: the only list. */
export const registry: Readonly<Record<FormatId, Format>> = { webp, avif, jpg: jpeg, png };
