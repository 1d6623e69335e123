import { limits, MIB } from '../limits.ts';
import { platformShell } from '../platform/call-platform.ts';
import { platformClock } from '../platform/clock.ts';
import { Places } from '../platform/places.ts';

/** Bytes of one row: a value may have 2 MB, and so many are in memory for each file on its way. */
const ROW_BYTES = MIB;
const ROWS_PER_FILE = Math.ceil(limits.segmentBytes / ROW_BYTES);
/** Bytes that are written to a stream at once. */
const WRITE_BYTES = 64 * 1024;
/** Milliseconds in which a row must be read by whoever asked for it. */
const ROW_LIMIT_MS = 4000;
/** Seconds that a file waits for its turn to come in, then it goes to R2; and to go out, then the call fails and is made again. */
const WAIT_SECONDS = { in: 2, out: 8 };

/**
 * Files on their way at once, in and out. State of the isolate on purpose: the objects of many batches share its memory, of which each file
 * takes one row.
 */
const isolateWays = {
  in: new Places(limits.handOversAtOnce, platformClock),
  out: new Places(limits.handOversAtOnce, platformClock),
};

interface Range {
  readonly offset: number;
  readonly length: number;
}

/**
 * The small files of a batch, in the storage of the object that owns it: that costs less than R2, and a reset loses nothing. Of each file one
 * row of `ROW_BYTES` at a time is in memory.
 */
export class HeldFiles {
  readonly #sql: SqlStorage;
  readonly #ways: Readonly<Record<'in' | 'out', Places>>;

  /** @param ways on which files are under way, as many at once as they have places */
  constructor(sql: SqlStorage, ways = isolateWays) {
    this.#sql = sql;
    this.#ways = ways;
  }

  /** Whether any was ever taken. Nothing is stored before: whoever asks for an id that never was makes an object of that name. */
  get any(): boolean {
    return this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'held'").toArray().length > 0;
  }

  /**
   * Takes a file of up to `limits.segmentBytes`; taken again, it is replaced.
   * @returns false when too many others are on their way
   * @throws Error when the body has not `size` bytes, or whatever reading it throws
   */
  async take(part: number, size: number, body: ReadableStream): Promise<boolean> {
    const place = await this.#ways.in.enter(WAIT_SECONDS.in);
    if (place === undefined) {
      await body.cancel();
      return false;
    }
    try {
      this.#sql.exec('CREATE TABLE IF NOT EXISTS held (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT');
      this.remove(part);
      await this.#store(part, size, body);
      return true;
    } finally {
      place.leave();
    }
  }

  /**
   * Opens a range of a file; undefined where there is no such file.
   * @returns the stream, and what ends once all of it was read or nobody reads it
   * @throws Error when too many others are on their way
   */
  async open(
    part: number,
    offset: number,
    length: number,
  ): Promise<{ readonly stream: ReadableStream; readonly sent: Promise<void> } | undefined> {
    if (!this.#has(part)) return undefined;
    const place = await this.#ways.out.enter(WAIT_SECONDS.out);
    if (place === undefined) throw new Error('too many files are read at once');
    const { readable, writable } = new FixedLengthStream(length);
    const sent = this.#send(part, { offset, length }, writable.getWriter()).finally(() => place.leave());
    return { stream: readable, sent };
  }

  /** Removes one file, if it is there. */
  remove(part: number): void {
    if (!this.#has(part)) return;
    const first = part * ROWS_PER_FILE;
    this.#sql.exec('DELETE FROM held WHERE id >= ? AND id < ?', first, first + ROWS_PER_FILE);
  }

  /** Removes all. */
  clear(): void {
    this.#sql.exec('DROP TABLE IF EXISTS held');
  }

  #has(part: number): boolean {
    return this.any && this.#sql.exec('SELECT 1 FROM held WHERE id = ?', part * ROWS_PER_FILE).toArray().length > 0;
  }

  async #store(part: number, size: number, body: ReadableStream): Promise<void> {
    const reader = body.getReader({ mode: 'byob' });
    try {
      for (let at = 0; at < size; at += ROW_BYTES) {
        const count = Math.min(ROW_BYTES, size - at);
        const { value } = await reader.readAtLeast(count, new Uint8Array(count));
        if (value?.length !== count) throw new Error('a file broke off on its way');
        const id = part * ROWS_PER_FILE + at / ROW_BYTES;
        this.#sql.exec('INSERT OR REPLACE INTO held VALUES (?, ?)', id, value.buffer);
        // Frees the bytes now: dropped, they would stay until the collector comes by.
        value.buffer.transfer(0);
      }
      const rest = await reader.read(new Uint8Array(1));
      if (!rest.done) throw new Error('a file is longer than announced');
    } catch (error) {
      await reader.cancel(error).catch(() => {});
      throw error;
    }
  }

  /** Never rejects: whoever reads sees the stream break off. One who stops reading is not waited for. */
  async #send(part: number, range: Range, writer: WritableStreamDefaultWriter): Promise<void> {
    let cancel = () => {};
    const giveUp = () => void writer.abort(new Error('nobody reads the file')).catch(() => {});
    try {
      for (const bytes of this.#rows(part, range)) {
        cancel = platformShell.timer(ROW_LIMIT_MS, giveUp);
        for (let at = 0; at < bytes.length; at += WRITE_BYTES) await writer.write(bytes.subarray(at, at + WRITE_BYTES));
        cancel();
        bytes.buffer.transfer(0);
      }
      // Nobody is waited for that has all bytes and does not ask whether there are more.
      void writer.close().catch(() => {});
    } catch (error) {
      await writer.abort(error).catch(() => {});
    } finally {
      cancel();
    }
  }

  *#rows(part: number, { offset, length }: Range): Generator<Uint8Array<ArrayBuffer>> {
    for (let at = offset; at < offset + length; ) {
      const row = Math.floor(at / ROW_BYTES);
      const from = at % ROW_BYTES;
      const count = Math.min(ROW_BYTES - from, offset + length - at);
      const [found] = this.#sql.exec<{ bytes: ArrayBuffer }>(
        'SELECT substr(bytes, ?, ?) AS bytes FROM held WHERE id = ?',
        from + 1,
        count,
        part * ROWS_PER_FILE + row,
      );
      if (found?.bytes.byteLength !== count) throw new Error('a held file is shorter than what is read of it');
      yield new Uint8Array(found.bytes);
      at += count;
    }
  }
}
