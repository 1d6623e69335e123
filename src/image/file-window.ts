import { aligned } from './kernels/aligned.ts';
import type { SourceFile } from './source-file.ts';
import type { Workspace } from './workspace.ts';

/** A run of a file's bytes. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

/** Bytes of the arena that a window takes. @param most bytes that it may hold at once */
export function fileWindowBytes({ start, end }: FileRange, most: number): number {
  return aligned(Math.min(most, end - start));
}

/**
 * A range of a file, in the arena, of which only a part is there at a time. What was used is dropped and what follows is loaded
 * behind the rest. A range of a file that lies in the arena already is there whole and takes nothing.
 */
export class FileWindow {
  readonly #file: SourceFile;
  readonly #end: number;
  readonly #region: Uint8Array;
  /** Offset in the file of what comes next. */
  #next: number;
  #bytes: Uint8Array;

  private constructor(file: SourceFile, next: number, end: number, region: Uint8Array, bytes: Uint8Array) {
    this.#file = file;
    this.#next = next;
    this.#end = end;
    this.#region = region;
    this.#bytes = bytes;
  }

  /**
   * Opens a range at its start. @param most bytes that may be there at once
   * @throws RangeError when the file is shorter; whatever the file's `read` throws
   */
  static async open(file: SourceFile, range: FileRange, most: number, workspace: Workspace): Promise<FileWindow> {
    const { start, end } = range;
    const { held } = file;
    if (held !== undefined && workspace.inArena(held)) {
      return new FileWindow(file, end, end, held, held.subarray(start, end));
    }
    const region = workspace.arena(Math.min(most, end - start));
    const window = new FileWindow(file, start, end, region, region.subarray(0, 0));
    await window.slide(0);
    return window;
  }

  /** What is there and was not dropped. Valid until the next `slide`; `byteOffset` is a kernel's pointer to it. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Whether the range's last byte is there. */
  get whole(): boolean {
    return this.#next === this.#end;
  }

  /** Drops the first `count` of `bytes` and loads as much of what follows as there is room for. */
  async slide(count: number): Promise<void> {
    const rest = this.#bytes.subarray(count);
    if (this.whole) {
      this.#bytes = rest;
      return;
    }
    const { length } = rest;
    this.#region.set(rest);
    const loaded = Math.min(this.#region.length - length, this.#end - this.#next);
    await this.#file.read(this.#next, this.#region.subarray(length, length + loaded));
    this.#next += loaded;
    this.#bytes = this.#region.subarray(0, length + loaded);
  }
}
