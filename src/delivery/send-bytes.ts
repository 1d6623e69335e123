/** Bytes that are handed over at once. */
const PIECE_BYTES = 64 * 1024;

/**
 * Hands bytes over as a stream of known length, since R2's binding copies what it is given whole before it sends any of it.
 * @param send takes the stream to its end
 * @throws whatever `send` throws
 */
export async function sendBytes<Result>(
  bytes: Uint8Array<ArrayBuffer>,
  send: (body: ReadableStream) => Promise<Result>,
): Promise<Result> {
  const { readable, writable } = new FixedLengthStream(bytes.length);
  const writer = writable.getWriter();
  const written = write(bytes, writer);
  try {
    return await send(readable);
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  } finally {
    await written;
  }
}

/** Ends quietly where nobody reads on: `send` says why. */
async function write(bytes: Uint8Array<ArrayBuffer>, writer: WritableStreamDefaultWriter): Promise<void> {
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) await writer.write(bytes.subarray(at, at + PIECE_BYTES));
    await writer.close();
  } catch {
    // The reader has gone.
  }
}
