/** Bytes that are taken from a stream at once: one buffer, used again and again, on the heap of whoever reads. */
const PIECE_BYTES = 256 * 1024;

/**
 * Fills `into`, which may lie in a WebAssembly memory, from a body.
 * @param wanted says whether anybody still waits for it: once it does not, `into` is another's and is not touched any more
 * @returns whether the body had so many bytes
 */
export async function fillFrom(
  body: ReadableStream,
  into: Uint8Array,
  wanted: () => boolean = () => true,
): Promise<boolean> {
  const reader = body.getReader({ mode: 'byob' });
  let piece = new Uint8Array(Math.min(PIECE_BYTES, into.length));
  try {
    for (let at = 0; at < into.length; ) {
      const count = Math.min(PIECE_BYTES, into.length - at);
      const { value } = await reader.readAtLeast(count, piece.subarray(0, count));
      if (value !== undefined) piece = new Uint8Array(value.buffer);
      if (!wanted()) {
        await reader.cancel();
        return false;
      }
      if (value?.length !== count) return false;
      into.set(value, at);
      at += count;
    }
    return true;
  } finally {
    // Frees the bytes now: dropped, one buffer a read would stay until the collector comes by. A read that failed has them.
    if (!piece.buffer.detached) piece.buffer.transfer(0);
  }
}
