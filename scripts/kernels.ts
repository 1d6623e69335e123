import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importMemory } from './kernels/import-memory.ts';

/** The library codecs: name in `build/` and where the package keeps the binary. */
const codecs = {
  'webp-decode': '@jsquash/webp/codec/dec/webp_dec.wasm',
  'webp-encode': '@jsquash/webp/codec/enc/webp_enc_simd.wasm',
  'avif-decode': '@jsquash/avif/codec/dec/avif_dec.wasm',
  'avif-encode': '@jsquash/avif/codec/enc/avif_enc.wasm',
  'jpeg-encode': '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm',
} as const;

/**
 * Makes `build/*.wasm`: every library codec, changed so that it imports its memory. All of them can then live, one after
 * the other, in the one arena of `src/image/kernels/arena.ts`, where as published each would keep 16 MiB and more to itself.
 */
async function buildKernels(root: string): Promise<void> {
  await mkdir(join(root, 'build'), { recursive: true });
  for (const [name, source] of Object.entries(codecs)) {
    const published = await readFile(join(root, 'node_modules', source));
    await writeWhole(join(root, 'build', `${name}.wasm`), importMemory(published));
  }
}

/** Leaves an equal file alone, since a running server reloads what changes, and never shows half of a new one. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(bytes)) return;
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, bytes);
  await rename(fresh, path);
}

await buildKernels(join(import.meta.dirname, '..'));
