import { callPlatform, type PlatformShell, platformShell, usualPatience } from '../platform/call-platform.ts';

/**
 * Stores bytes that come in pieces as one object. They are handed over as a stream of known length, because R2's binding copies what
 * it is given whole before it sends any of it; every try sends them from their start, and ends the try before, which may hang.
 * When this returns, nothing reads the pieces any more.
 * @throws PlatformError
 */
export async function putSegment(
  bucket: R2Bucket,
  key: string,
  pieces: readonly Uint8Array<ArrayBuffer>[],
  shell: PlatformShell = platformShell,
): Promise<void> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let giveUp = () => {};
  const put = async () => {
    giveUp();
    const { readable, writable } = new FixedLengthStream(length);
    const writer = writable.getWriter();
    giveUp = () => void writer.abort(new Error('given up')).catch(() => {});
    const written = write(pieces, writer);
    await bucket.put(key, readable);
    await written;
  };
  try {
    await callPlatform('R2 put', put, usualPatience, shell);
  } finally {
    giveUp();
  }
}

/** Ends quietly where nobody reads on: the store says why. */
async function write(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  try {
    for (const piece of pieces) await writer.write(piece);
    await writer.close();
  } catch {
    // The reader has gone, or the try was given up.
  }
}
