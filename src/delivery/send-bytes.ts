import { callPlatform, type Patience, usualPatience } from '../platform/call-platform.ts';

/** Bytes that are handed over at once. */
const PIECE_BYTES = 64 * 1024;

/** A second pause where usually a tenth would do: R2 takes one write a second to the same key (error 10058). */
export const writePatience: Patience = { ...usualPatience, backOffMs: 1000 };

/** `callPlatform`, or what a test has in its place. */
export type PlatformCall = <Result>(what: string, call: () => Promise<Result>, patience?: Patience) => Promise<Result>;

/**
 * Hands bytes over as a stream of known length, since R2's binding copies what it is given whole before it sends any of it.
 * @param send takes the stream to its end
 * @throws whatever `send` throws
 */
export async function sendBytes<Result>(
  bytes: Uint8Array<ArrayBuffer>,
  send: (body: ReadableStream) => Promise<Result>,
): Promise<Result> {
  return await beginSending(bytes, send).sent;
}

/**
 * The same as a call to the platform, with its time limit and its tries, the bytes sent again at each. A try that is given up is broken
 * off: it can take no more of the bytes, whose memory may hold others by then, and what is stored of it is nothing.
 * @param what names the call for the log: `R2 put`
 * @param send takes the stream to its end; it must do no harm when it is called twice
 * @throws PlatformError
 */
export async function deliverBytes<Result>(
  what: string,
  bytes: Uint8Array<ArrayBuffer>,
  send: (body: ReadableStream) => Promise<Result>,
  call: PlatformCall = callPlatform,
): Promise<Result> {
  let breakOff = async (): Promise<void> => {};
  const attempt = async () => {
    await breakOff();
    const sending = beginSending(bytes, send);
    breakOff = sending.breakOff;
    return await sending.sent;
  };
  try {
    return await call(what, attempt, writePatience);
  } finally {
    await breakOff();
  }
}

interface Sending<Result> {
  readonly sent: Promise<Result>;
  /** Takes the bytes away from whoever still reads them; nothing where all is done. Never throws. */
  breakOff(): Promise<void>;
}

function beginSending<Result>(
  bytes: Uint8Array<ArrayBuffer>,
  send: (body: ReadableStream) => Promise<Result>,
): Sending<Result> {
  const { readable, writable } = new FixedLengthStream(bytes.length);
  const writer = writable.getWriter();
  const written = write(bytes, writer);
  const breakOff = async () => {
    await writer.abort(new Error('given up')).catch(() => {});
    await written;
  };
  const receive = async () => {
    try {
      return await send(readable);
    } catch (error) {
      await writer.abort(error).catch(() => {});
      throw error;
    } finally {
      await written;
    }
  };
  return { sent: receive(), breakOff };
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
