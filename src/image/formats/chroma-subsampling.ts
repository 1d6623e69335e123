import type { Haste } from './haste.ts';

/** Chroma at full resolution, or halved in both directions. */
export type ChromaSubsampling = '4:4:4' | '4:2:0';

/** From this quality on chroma is kept at full resolution, as cjpeg and libvips do. */
const FULL_CHROMA_QUALITY = 90;
/** At this haste it no longer is. */
const HALF_CHROMA_HASTE = 3;

/** @param quality 40–100 on the interface's scale */
export function chromaSubsampling(quality: number, haste: Haste = 0): ChromaSubsampling {
  return quality >= FULL_CHROMA_QUALITY && haste < HALF_CHROMA_HASTE ? '4:4:4' : '4:2:0';
}
