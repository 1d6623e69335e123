import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import createAvif from '@jsquash/avif/codec/enc/avif_enc.js';
import { defaultOptions as avifOptions } from '@jsquash/avif/meta.js';
import createJpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import createJpeg from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions as jpegOptions } from '@jsquash/jpeg/meta.js';
import resize, { initResize } from '@jsquash/resize';
import createWebp from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import { defaultOptions as webpOptions } from '@jsquash/webp/meta.js';
import { type LibraryImage, provideImageData } from '../../src/image/formats/library-image.ts';
import { avifQuality, webpQuality } from '../../src/image/formats/quality.ts';
import type { BenchCase } from './cases.ts';
import { QUALITY } from './quality.ts';

const require = createRequire(import.meta.url);

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: object): Uint8Array | null;
}
interface Decoder {
  decode(file: Uint8Array, preserveOrientation: boolean): LibraryImage;
}

/** Modules are made once, as the library does it. */
const made = new Map<string, Promise<unknown>>();

function codec<Module>(factory: unknown, wasm: string): Promise<Module> {
  const make = factory as (options: object) => Promise<Module>;
  const present = made.get(wasm) ?? make({ wasmBinary: readFileSync(require.resolve(`@jsquash/${wasm}`)) });
  made.set(wasm, present);
  return present as Promise<Module>;
}

/** The usual pipeline of ready-made codecs, each with its own copies; JPEG in only. */
export async function runJsquash({ file, source, format, maxWidth }: BenchCase): Promise<Uint8Array | undefined> {
  if (source !== 'jpg' || format === 'png') return undefined;
  provideImageData();
  const decoder = await codec<Decoder>(createJpegDecoder, 'jpeg/codec/dec/mozjpeg_dec.wasm');
  const decoded = decoder.decode(file, true);
  const { data, width, height } = maxWidth === undefined ? decoded : await resized(decoded, maxWidth);
  const pixels = new Uint8Array(data.buffer, data.byteOffset, data.length);
  return (await encode(format, pixels, width, height)) ?? undefined;
}

async function resized(image: LibraryImage, width: number): Promise<LibraryImage> {
  await initResize(readFileSync(require.resolve('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm')));
  const height = Math.round((image.height * width) / image.width);
  return (await resize(image as never, { width, height, method: 'lanczos3' })) as unknown as LibraryImage;
}

async function encode(format: 'webp' | 'avif' | 'jpg', pixels: Uint8Array, width: number, height: number) {
  switch (format) {
    case 'webp': {
      const encoder = await codec<Encoder>(createWebp, 'webp/codec/enc/webp_enc_simd.wasm');
      return encoder.encode(pixels, width, height, { ...webpOptions, quality: webpQuality(QUALITY), method: 4 });
    }
    case 'avif': {
      const encoder = await codec<Encoder>(createAvif, 'avif/codec/enc/avif_enc.wasm');
      return encoder.encode(pixels, width, height, { ...avifOptions, quality: avifQuality(QUALITY), speed: 6 });
    }
    case 'jpg': {
      const encoder = await codec<Encoder>(createJpeg, 'jpeg/codec/enc/mozjpeg_enc.wasm');
      return encoder.encode(pixels, width, height, { ...jpegOptions, quality: QUALITY });
    }
  }
}
