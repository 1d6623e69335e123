import { optimizeImage } from 'wasm-image-optimization';
import type { BenchCase } from './cases.ts';
import { QUALITY } from './quality.ts';

const formats = { webp: 'webp', avif: 'avif', jpg: 'jpeg', png: 'png' } as const;

/** The other library that does this on edge runtimes. Its quality numbers are its codecs' own. */
export async function runWasmImageOptimization({ file, format, maxWidth }: BenchCase): Promise<Uint8Array> {
  const result = await optimizeImage({
    image: file.slice(),
    format: formats[format],
    quality: QUALITY,
    ...(maxWidth !== undefined && { width: maxWidth }),
  });
  return result.data;
}
