import { RequestError } from '../errors.ts';
import { type ByteSource, byteSource, type Pulled } from './byte-source.ts';

/** The clock of the idle limit: `platformTimer`, or a test's own. */
export interface Timer {
  set(run: () => void, milliseconds: number): unknown;
  clear(handle: unknown): void;
}

export const platformTimer: Timer = {
  set: (run, milliseconds) => setTimeout(run, milliseconds),
  clear: (handle) => clearTimeout(handle as number),
};

/** Seconds without a byte after which an upload is given up, and who measures them. */
export interface IdleLimit {
  readonly seconds: number;
  readonly timer: Timer;
}

/** How long the rest of a body is read that nobody needs: in all, and without a byte. */
const LINGER_SECONDS = 10;
const PAUSE_SECONDS = 1;

/**
 * A window of fixed size on a request's body: bytes are appended at its end and taken off its start. Nothing is read
 * unless asked for, so backpressure reaches the client, and one buffer serves the whole body.
 */
export class BodyWindow {
  /** The bytes that were read and not yet taken. Valid until the next `fill`. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Bytes read from the body so far. */
  received = 0;
  #whole: Uint8Array<ArrayBuffer>;
  /** A read failed, or is still under way although nobody waits for it any more: no other may follow. */
  #broken = false;
  readonly #source: ByteSource;
  readonly #idle: IdleLimit;

  /**
   * @param capacity most bytes that `bytes` can hold
   * @param start bytes that are in the window before any of the body
   */
  constructor(body: ReadableStream<Uint8Array>, capacity: number, idle: IdleLimit, start: Uint8Array) {
    this.#whole = new Uint8Array(capacity);
    this.#whole.set(start);
    this.bytes = this.#whole.subarray(0, start.length);
    this.#source = byteSource(body);
    this.#idle = idle;
  }

  /** Takes `count` bytes off the start. */
  skip(count: number): void {
    this.bytes = this.bytes.subarray(count);
  }

  /**
   * Reads at least one more byte; false at the end of the body.
   * @throws RequestError request_timeout when no byte came for too long, invalid_request when the client went away
   */
  async fill(idleSeconds = this.#idle.seconds): Promise<boolean> {
    const kept = this.bytes.length;
    if (kept === this.#whole.length) throw new RangeError('The window is full.');
    if (this.bytes.byteOffset > 0) this.#whole.copyWithin(0, this.bytes.byteOffset, this.bytes.byteOffset + kept);
    const pulled = await this.#inTime(this.#source.pull(this.#whole.subarray(kept)), idleSeconds);
    this.#whole = new Uint8Array(pulled.buffer);
    this.bytes = this.#whole.subarray(0, kept + pulled.length);
    this.received += pulled.length;
    return !pulled.done;
  }

  /** Reads until `count` bytes are in the window; false when the body ends before. */
  async need(count: number): Promise<boolean> {
    while (this.bytes.length < count) if (!(await this.fill())) return false;
    return true;
  }

  /** Gives the body up: the rest of it is not read. */
  async cancel(): Promise<void> {
    await this.#source.cancel().catch(() => {});
  }

  /**
   * Reads on without keeping anything, until the body ends or pauses, `most` bytes passed or the time is over; then gives
   * it up. For what follows the end of the form, and so that a refused client that is still sending sees the answer: a
   * connection that closes under it often costs it the answer (RFC 9112, 9.6). Never throws.
   */
  async discard(most: number): Promise<void> {
    if (this.#broken) return await this.cancel();
    const end = this.received + most;
    let over = false;
    const handle = this.#idle.timer.set(() => {
      over = true;
    }, LINGER_SECONDS * 1000);
    try {
      do this.skip(this.bytes.length);
      while (!over && this.received < end && (await this.fill(PAUSE_SECONDS)));
    } catch {
      // It paused or broke off: nobody needs the rest.
    }
    this.#idle.timer.clear(handle);
    await this.cancel();
  }

  async #inTime(pull: Promise<Pulled>, seconds: number): Promise<Pulled> {
    const { timer } = this.#idle;
    let handle: unknown;
    const late = new Promise<never>((_, reject) => {
      handle = timer.set(() => reject(timedOut(seconds)), seconds * 1000);
    });
    try {
      return await Promise.race([pull, late]);
    } catch (error) {
      this.#broken = true;
      throw error instanceof RequestError ? error : brokenOff();
    } finally {
      timer.clear(handle);
    }
  }
}

function timedOut(seconds: number): RequestError {
  return new RequestError('request_timeout', `No data arrived for ${seconds} seconds. Send the request again.`);
}

function brokenOff(): RequestError {
  return new RequestError('invalid_request', 'The upload broke off before its end. Send the request again.');
}
