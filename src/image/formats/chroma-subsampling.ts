import { budget } from '../budget.ts';

/** Chroma at full resolution, or halved in both directions. */
export type ChromaSubsampling = '4:4:4' | '4:2:0';

/** From this quality on chroma is kept at full resolution, as cjpeg and libvips do. */
const FULL_CHROMA_QUALITY = 90;

/**
 * Full chroma at high quality, unless only subsampled chroma fits the arena: a slightly softer picture beats a refusal.
 * @param arenaBytes bytes of the arena that the encoder takes with that chroma
 */
export function chromaSubsampling(
  quality: number,
  arenaBytes: (chroma: ChromaSubsampling) => number,
): ChromaSubsampling {
  return quality >= FULL_CHROMA_QUALITY && arenaBytes('4:4:4') <= budget.arena ? '4:4:4' : '4:2:0';
}
