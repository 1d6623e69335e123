/** Bytes that are taken from a stream at once: one buffer, used again and again, on the heap of whoever reads. */
const PIECE_BYTES = 64 * 1024;

/** Fills `into`, which may lie in a WebAssembly memory, from a body. @returns whether the body had so many bytes */
export async function fillFrom(body: ReadableStream, into: Uint8Array): Promise<boolean> {
  const reader = body.getReader({ mode: 'byob' });
  let piece = new Uint8Array(Math.min(PIECE_BYTES, into.length));
  try {
    for (let at = 0; at < into.length; ) {
      const wanted = Math.min(PIECE_BYTES, into.length - at);
      const { value } = await reader.readAtLeast(wanted, piece.subarray(0, wanted));
      if (value !== undefined) piece = new Uint8Array(value.buffer);
      if (value?.length !== wanted) return false;
      into.set(value, at);
      at += wanted;
    }
    return true;
  } finally {
    // Frees the bytes now: dropped, one buffer a read would stay until the collector comes by. A read that failed has them.
    if (!piece.buffer.detached) piece.buffer.transfer(0);
  }
}
