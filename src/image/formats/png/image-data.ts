import { crc32 } from 'node:zlib';
import { FileWindow, fileWindowBytes } from '../../file-window.ts';
import type { SourceFile } from '../../source-file.ts';
import type { Workspace } from '../../workspace.ts';
import { brokenPng } from './broken-png.ts';
import { CHUNK_OVERHEAD, isDataAt } from './chunks.ts';

/** Length and type, in front of a chunk's data (third edition, 5.3). */
const HEAD_BYTES = 8;
const CRC_BYTES = 4;
/** Checksums cover the type as well as the data. */
const TYPE_CHECKSUM = crc32('IDAT');

/** Bytes of the arena that an `ImageData` takes of a file that is not in it. @param window bytes that may be there at once */
export function imageDataBytes(fileBytes: number, dataStart: number, window: number): number {
  return fileWindowBytes({ start: dataStart, end: fileBytes }, window);
}

/**
 * The compressed picture data: what the IDAT chunks hold, which is one zlib stream (third edition, clause 10). It is read once, from
 * its start on; each chunk's checksum is verified where the chunk ends. What follows the last of them is not looked at.
 */
export class ImageData {
  readonly #window: FileWindow;
  readonly #fileBytes: number;
  /** Offset in the window of what was not read yet. */
  #at = 0;
  /** Offset in the file of the next chunk. */
  #nextChunk: number;
  /** Bytes of this chunk's data that were not given out yet. */
  #left = 0;
  /** Of this chunk's type and data, as far as it was read; undefined between chunks. */
  #checksum: number | undefined;

  private constructor(window: FileWindow, dataStart: number, fileBytes: number) {
    this.#window = window;
    this.#nextChunk = dataStart;
    this.#fileBytes = fileBytes;
  }

  /** @param dataStart offset of the first IDAT chunk @param window bytes that may be in the arena at once */
  static async open(file: SourceFile, dataStart: number, window: number, workspace: Workspace): Promise<ImageData> {
    if (window < HEAD_BYTES) throw new TypeError(`a window of ${window} bytes has no room for the head of a chunk`);
    const range = { start: dataStart, end: file.size };
    return new ImageData(await FileWindow.open(file, range, window, workspace), dataStart, file.size);
  }

  /**
   * The data in pieces that lie in the arena, each until the next one is asked for. A promise comes where more of the file is
   * being loaded: to be awaited before the next piece is asked for.
   * @throws FileError broken_image
   */
  *pieces(): Generator<Uint8Array | Promise<void>, void> {
    while (yield* this.#enterChunk()) yield* this.#readChunk();
  }

  /**
   * Reads the chunk that is being read to its end, for its checksum. Yields promises as `pieces` does.
   * @throws FileError broken_image
   */
  *verify(): Generator<Promise<void>, void> {
    if (this.#checksum === undefined) return;
    for (const piece of this.#readChunk()) if (piece instanceof Promise) yield piece;
  }

  *#enterChunk(): Generator<Promise<void>, boolean> {
    while (this.#there < HEAD_BYTES && !this.#window.whole) yield this.#load();
    const { bytes } = this.#window;
    if (!isDataAt(bytes, this.#at)) return false;
    if (this.#nextChunk + CHUNK_OVERHEAD > this.#fileBytes) throw brokenPng('it ends before the picture does');
    this.#left = uint32(bytes, this.#at);
    this.#nextChunk += CHUNK_OVERHEAD + this.#left;
    if (this.#nextChunk > this.#fileBytes) throw brokenPng('its IDAT chunk runs past the end of the file');
    this.#checksum = TYPE_CHECKSUM;
    this.#at += HEAD_BYTES;
    return true;
  }

  *#readChunk(): Generator<Uint8Array | Promise<void>, void> {
    while (this.#left > 0) {
      const size = Math.min(this.#left, this.#there);
      if (size === 0) {
        yield this.#load();
        continue;
      }
      const piece = this.#window.bytes.subarray(this.#at, this.#at + size);
      this.#checksum = crc32(piece, this.#checksum);
      this.#left -= size;
      this.#at += size;
      yield piece;
    }
    while (this.#there < CRC_BYTES) yield this.#load();
    const intact = uint32(this.#window.bytes, this.#at) === this.#checksum;
    this.#checksum = undefined;
    if (!intact) throw brokenPng('its picture data fails its checksum');
    this.#at += CRC_BYTES;
  }

  /** Bytes in the window that were not read yet. */
  get #there(): number {
    return this.#window.bytes.length - this.#at;
  }

  async #load(): Promise<void> {
    await this.#window.slide(this.#at);
    this.#at = 0;
  }
}

/** The four bytes at `at`, the highest first. A view would take longer than all else in a file of a thousand chunks. */
function uint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
