import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { importMemory } from './kernels/import-memory.ts';

/** The library codecs: name in `build/` and where the package keeps the binary. */
const codecs = {
  'webp-decode': '@jsquash/webp/codec/dec/webp_dec.wasm',
  'webp-encode': '@jsquash/webp/codec/enc/webp_enc_simd.wasm',
  'avif-decode': '@jsquash/avif/codec/dec/avif_dec.wasm',
  'avif-encode': '@jsquash/avif/codec/enc/avif_enc.wasm',
  'jpeg-encode': '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm',
  lcms: 'lcms-wasm/dist/lcms.wasm',
} as const;

/**
 * Makes `build/*.wasm`: every library codec, changed so that it imports its memory. All of them can then live, one after
 * the other, in the one arena of `src/image/kernels/arena.ts`, where as published each would keep 16 MiB and more to itself.
 */
export async function buildKernels(root: URL): Promise<void> {
  await mkdir(new URL('build/', root), { recursive: true });
  for (const [name, source] of Object.entries(codecs)) {
    const published = await readFile(new URL(`node_modules/${source}`, root));
    await writeFile(new URL(`build/${name}.wasm`, root), importMemory(published));
  }
}

await buildKernels(new URL('../', import.meta.url));
