import createAvif from '@jsquash/avif/codec/enc/avif_enc.js';
import { defaultOptions as avifOptions } from '@jsquash/avif/meta.js';
import createJpeg from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions as jpegOptions } from '@jsquash/jpeg/meta.js';
import createWebp from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import { defaultOptions as webpOptions } from '@jsquash/webp/meta.js';
import avifWasm from '../../build/avif-encode.wasm';
import jpegWasm from '../../build/jpeg-encode.wasm';
import webpWasm from '../../build/webp-encode.wasm';
import { budget } from '../../src/image/budget.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import type { CodecFactory } from '../../src/image/workspace.ts';
import type { Picture } from './picture.ts';

const arena = new Arena();
arena.reserve(0, budget.arena);

/** As `encode-jpeg.ts` does it. */
export function encodeJpeg(picture: Picture, quality: number, fullChroma: boolean): Promise<Uint8Array> {
  const options = { ...jpegOptions, quality, auto_subsample: false, chroma_subsample: fullChroma ? 1 : 2 };
  return encode(createJpeg, jpegWasm, picture, options);
}

/** As `encode-webp.ts` does it, at a setting of libwebp's own. */
export function encodeWebp(picture: Picture, setting: number): Promise<Uint8Array> {
  return encode(createWebp, webpWasm, picture, { ...webpOptions, quality: setting, method: 4 });
}

/** As `encode-avif.ts` does it, at a setting of libavif's own. */
export function encodeAvif(picture: Picture, setting: number, fullChroma: boolean): Promise<Uint8Array> {
  const options = { ...avifOptions, quality: setting, subsample: fullChroma ? 3 : 1, speed: 8 };
  return encode(createAvif, avifWasm, picture, options);
}

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: object): Uint8Array | null;
}

async function encode(factory: unknown, wasm: WebAssembly.Module, picture: Picture, options: object) {
  const workspace = new JobWorkspace(arena);
  try {
    const encoder = await workspace.codec(factory as CodecFactory<Encoder>, wasm);
    const file = encoder.encode(picture.rgba, picture.width, picture.height, options);
    if (file === null) throw new Error('the encoder refused the picture');
    return file.slice();
  } finally {
    workspace.finish();
  }
}
