import createDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import decoderWasm from '@jsquash/webp/codec/dec/webp_dec.wasm';
import createEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import encoderWasm from '@jsquash/webp/codec/enc/webp_enc_simd.wasm';
import { defaultOptions } from '@jsquash/webp/meta.js';
import { type LibraryImage, provideImageData } from '../../src/image/formats/library-image.ts';
import type { CodecFactory } from '../../src/image/workspace.ts';
import type { SyntheticPicture } from './synthetic-picture.ts';

interface Decoder {
  decode(file: Uint8Array): LibraryImage | null;
}

interface Encoder {
  encode(pixels: Uint8Array, width: number, height: number, options: typeof defaultOptions): Uint8Array | null;
}

/** libwebp as @jsquash/webp publishes it: the judge of our own coders, wherever the tests run. */
export interface Libwebp {
  /** RGBA; undefined where libwebp refuses the file. */
  decode(file: Uint8Array): Uint8Array | undefined;
  encode(picture: SyntheticPicture, options?: Partial<typeof defaultOptions>): Uint8Array<ArrayBuffer>;
}

export async function loadLibwebp(): Promise<Libwebp> {
  provideImageData();
  const decoder = await instantiate(createDecoder as CodecFactory<Decoder>, decoderWasm);
  const encoder = await instantiate(createEncoder as CodecFactory<Encoder>, encoderWasm);
  return {
    decode(file) {
      const { data } = decoder.decode(file) ?? {};
      return data && new Uint8Array(data.buffer, data.byteOffset, data.length);
    },
    encode({ pixels, frame }, options = {}) {
      const file = encoder.encode(pixels, frame.width, frame.height, { ...defaultOptions, ...options });
      if (file === null) throw new Error('libwebp made no file');
      return file.slice();
    },
  };
}

function instantiate<Module>(factory: CodecFactory<Module>, wasm: WebAssembly.Module): Promise<Module> {
  return factory({
    noInitialRun: true,
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(wasm, imports);
      done(instance);
      return instance.exports;
    },
  });
}
