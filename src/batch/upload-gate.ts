import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';
import { type Clock, platformClock } from '../platform/clock.ts';
import { Places } from '../platform/places.ts';
import { type SharedMemory, UploadShare } from './upload-share.ts';

/** How often a waiting upload looks whether more have to be asked for memory, or are gone. */
const LOOK_MS = 1000;

/** An upload that waits for memory. */
interface Waiting {
  readonly share: UploadShare;
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Shares memory among all uploads of an isolate. Each has a floor of `limits.uploadFloorBytes`, which the number of uploads at once
 * pays for; what it has above that comes from `bytes` in small grants, for data that is there. Where nothing is left, the upload
 * with the most is asked to store what it has, waiting ones included: so whoever waits, waits for R2 and never for a client or for
 * another that waits, and there is no deadlock. First come, first served; every wait ends with a place, memory or 503.
 */
export class UploadGate implements SharedMemory {
  readonly #places: Places;
  readonly #floor: number;
  readonly #clock: Clock;
  readonly #shares = new Set<UploadShare>();
  readonly #waiting: Waiting[] = [];
  #free: number;

  /** @param bytes what all uploads together may have above their floors */
  constructor(
    bytes: number,
    p: { readonly uploads?: number; readonly floorBytes?: number; readonly clock?: Clock } = {},
  ) {
    this.#free = bytes;
    this.#floor = p.floorBytes ?? limits.uploadFloorBytes;
    this.#clock = p.clock ?? platformClock;
    this.#places = new Places(p.uploads ?? limits.uploadsAtOnce, this.#clock);
  }

  /** Bytes that nobody has. */
  get free(): number {
    return this.#free;
  }

  /** Whether all places are taken. */
  get crowded(): boolean {
    return this.#places.full;
  }

  /**
   * Lets an upload in; it must `leave` in the end.
   * @throws RequestError service_busy when there is no place for too long
   */
  async enter(): Promise<UploadShare> {
    const place = await this.#places.enter(limits.uploadQueueSeconds);
    if (place === undefined) throw busy();
    const share = new UploadShare(this, place, this.#floor);
    this.#shares.add(share);
    return share;
  }

  /** For `UploadShare`: takes bytes above its floor. @throws RequestError service_busy when there are none for too long */
  async take(share: UploadShare, bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { share, bytes, enter: resolve };
    this.#waiting.push(waiting);
    this.#admit();
    if (!this.#waiting.includes(waiting)) return;
    let cancel = () => {};
    const look = (looks: number) => {
      if (looks * LOOK_MS > limits.uploadMemorySeconds * 1000) return reject(busy());
      this.#dropLost();
      // One more than would be enough: those asked before may be dead, or stuck.
      this.#press(looks > 1);
      cancel = this.#clock.timer(LOOK_MS, () => look(looks + 1));
    };
    look(1);
    try {
      await promise;
    } finally {
      cancel();
      if (this.#waiting.includes(waiting)) this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    }
  }

  /** For `UploadShare`: gives bytes back. */
  giveBack(bytes: number): void {
    this.#free += bytes;
    this.#admit();
  }

  /** For `UploadShare`: it has nothing any more. */
  left(share: UploadShare): void {
    this.#shares.delete(share);
  }

  /** In order, even where a smaller want further back would fit: none is overtaken for ever. */
  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.bytes;
      next.share.granted(next.bytes);
      next.enter();
    }
  }

  /** Asks the uploads with the most for what the waiting ones want. */
  #press(further: boolean): void {
    const shares = [...this.#shares].sort((a, b) => b.idle - a.idle);
    const wanted = this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0);
    let missing = shares.reduce((sum, { coming }) => sum - coming, wanted - this.#free);
    if (further && missing <= 0) missing = 1;
    for (const share of shares) {
      if (missing <= 0 || share.idle === 0) return;
      missing -= share.idle;
      share.ask();
    }
  }

  #dropLost(): void {
    for (const share of this.#shares) if (share.lost) share.drop();
  }
}

function busy(): RequestError {
  const message = 'Too many uploads arrive at the moment. Send the request again in a few seconds.';
  return new RequestError('service_busy', message, { retryAfterSeconds: limits.uploadQueueSeconds });
}
