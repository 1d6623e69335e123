import { callPlatform, type Patience, type PlatformShell } from '../platform/call-platform.ts';

/**
 * Sends bytes that come in pieces as a stream of known length, in a call to the platform with its time limit and its tries. Every try sends
 * them from their start, and ends the try before, which may hang. When this returns, nothing reads the pieces any more.
 * @param what names the call for the log: `R2 put`
 * @throws PlatformError
 */
export async function sendPieces<Result>(
  what: string,
  pieces: readonly Uint8Array<ArrayBuffer>[],
  send: (body: ReadableStream) => Promise<Result>,
  { patience, shell }: { readonly patience: Patience; readonly shell: PlatformShell },
): Promise<Result> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let giveUp = () => {};
  const attempt = async () => {
    giveUp();
    const { readable, writable } = new FixedLengthStream(length);
    const writer = writable.getWriter();
    giveUp = () => void writer.abort(new Error('given up')).catch(() => {});
    const written = write(pieces, writer);
    const result = await send(readable);
    await written;
    return result;
  };
  try {
    return await callPlatform(what, attempt, patience, shell);
  } finally {
    giveUp();
  }
}

/** Ends quietly where nobody reads on: the receiver says why. */
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
