import { encodeLossy } from '../../../../../src/image/formats/webp/encode/encode-frame.ts';
import { HeapWorkspace } from '../../../../support/heap-workspace.ts';
import type { SyntheticPicture } from '../../../../support/synthetic-picture.ts';

/** Encodes as the engine does. @param quality of libwebp's scale */
export async function encodeFile({ frame, pixels }: SyntheticPicture, quality: number): Promise<Uint8Array> {
  const bands = {
    async *[Symbol.asyncIterator]() {
      yield { top: 0, rows: frame.height, pixels: pixels.slice() };
    },
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of encodeLossy(bands, frame, quality, new HeapWorkspace())) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}
