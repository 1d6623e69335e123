import { RequestError } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import { type BodyRules, tooLarge } from './body-rules.ts';
import { type ByteSource, byteSource, type Pulled } from './byte-source.ts';
import { type PaceRules, UploadPace } from './upload-pace.ts';

/** How the rest of a body is read that nobody needs: not for long, and only while bytes come. */
const LINGER: PaceRules = { pauseSeconds: 1, bytesPerSecond: () => 1, totalSeconds: 10 };

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
  /** A read is under way, or failed: no other may follow. */
  #reading = false;
  readonly #source: ByteSource;
  readonly #clock: Clock;
  readonly #pace: UploadPace;
  readonly #maxBytes: number | undefined;

  /**
   * @param capacity most bytes that `bytes` can hold
   * @param start bytes that are in the window before any of the body
   */
  constructor(
    body: ReadableStream<Uint8Array>,
    p: BodyRules & { readonly capacity: number; readonly start: Uint8Array },
  ) {
    this.#whole = new Uint8Array(p.capacity);
    this.#whole.set(p.start);
    this.bytes = this.#whole.subarray(0, p.start.length);
    this.#source = byteSource(body);
    this.#clock = p.clock;
    this.#pace = new UploadPace(p.pace, p.clock);
    this.#maxBytes = p.maxBytes;
  }

  /** Takes `count` bytes off the start. */
  skip(count: number): void {
    this.bytes = this.bytes.subarray(count);
  }

  /**
   * Reads at least one more byte; false at the end of the body.
   * @throws RequestError request_timeout when the client is too slow, payload_too_large, invalid_request when it went away
   */
  async fill(pace = this.#pace): Promise<boolean> {
    const kept = this.bytes.length;
    if (kept === this.#whole.length) throw new RangeError('The window is full.');
    if (this.bytes.byteOffset > 0) this.#whole.copyWithin(0, this.bytes.byteOffset, this.bytes.byteOffset + kept);
    const pulled = await this.#pull(this.#whole.subarray(kept), pace);
    this.#whole = new Uint8Array(pulled.buffer);
    this.bytes = this.#whole.subarray(0, kept + pulled.length);
    this.received += pulled.length;
    if (pace === this.#pace && this.#maxBytes !== undefined && this.received > this.#maxBytes)
      throw tooLarge(this.#maxBytes);
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
    const end = this.received + most;
    const pace = new UploadPace(LINGER, this.#clock);
    try {
      if (!this.#reading) {
        this.skip(this.bytes.length);
        while (this.received < end && (await this.fill(pace))) this.skip(this.bytes.length);
      }
    } catch {
      // It paused or broke off: nobody needs the rest.
    }
    await this.cancel();
  }

  async #pull(free: Uint8Array<ArrayBuffer>, pace: UploadPace): Promise<Pulled> {
    this.#reading = true;
    try {
      const pulled = await pace.wait(this.#source.pull(free));
      this.#reading = false;
      return pulled;
    } catch (error) {
      throw error instanceof RequestError ? error : brokenOff();
    }
  }
}

function brokenOff(): RequestError {
  return new RequestError('invalid_request', 'The upload broke off before its end. Send the request again.');
}
