/** Chroma at full resolution, or halved in both directions. */
export type ChromaSubsampling = '4:4:4' | '4:2:0';

/** From this quality on chroma is kept at full resolution, as cjpeg and libvips do. */
const FULL_CHROMA_QUALITY = 90;

/** @param quality 40–100 on the interface's scale */
export function chromaSubsampling(quality: number): ChromaSubsampling {
  return quality >= FULL_CHROMA_QUALITY ? '4:4:4' : '4:2:0';
}
