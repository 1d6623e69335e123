import { aligned } from '../../../kernels/aligned.ts';
import type { Workspace } from '../../../workspace.ts';
import type { CodingLayout } from './coding-layout.ts';
import { readStripFile } from './strip-file.ts';
import type { TranscodeKernel } from './transcode-kernel.ts';

/** Bytes that a block takes at the most, in the scratch area and kept (`kept-block` of the kernel). */
const BLOCK_BYTES = 192;
/** Bytes of a prepared Huffman table of the kernel, of which there are four. */
const CODE_BYTES = 2560;
/** Where the kernel's small structures are in their region, in bytes. */
const at = { picture: 0, reader: 64, readEnds: 128, codedEnds: 160, blockRows: 192, codes: 256 } as const;
const STATE_BYTES = at.codes + 4 * CODE_BYTES;
const COMPONENT_BYTES = 16;

/** Bytes of the arena that a `KeptPicture` takes beside what it keeps. */
export function keptPictureBytes(layout: CodingLayout): number {
  return STATE_BYTES + aligned(rowCount(layout) * 4) + scratchBytes(layout);
}

/** Bytes that it may keep, of `room`: never more than all blocks can take with padding below, at the least a row of MCUs. */
export function storeBytes(layout: CodingLayout, room: number): number {
  const { components, mcusDown } = layout;
  const blocks = components.reduce((sum, { across, vertical }) => sum + across * vertical * mcusDown, 0);
  return aligned(Math.min(blocks * BLOCK_BYTES, Math.max(room, scratchBytes(layout))));
}

/**
 * The coefficients of the part of a picture that was read and not yet written, in rows of MCUs, in the arena. Files of strips go
 * in; the kernel makes scans from it.
 */
export class KeptPicture {
  readonly layout: CodingLayout;
  readonly kernel: TranscodeKernel;
  /** The DQT segments that all strips have in common. */
  quantTables: Uint8Array | undefined;
  /** Rows of MCUs that are here: `from` … `to` − 1. */
  from = 0;
  to = 0;
  readonly #state: Uint8Array;
  readonly #rows: Uint32Array;
  readonly #scratch: Uint8Array;
  readonly #store: Uint8Array;
  #filled = 0;
  /** Bytes of the row of MCUs that was read last and is not yet kept. */
  #pending = 0;

  /** @param store bytes that it may keep (`storeBytes`) */
  constructor(layout: CodingLayout, store: number, kernel: TranscodeKernel, workspace: Workspace) {
    this.layout = layout;
    this.kernel = kernel;
    this.#state = workspace.arena(STATE_BYTES);
    const rows = workspace.arena(aligned(rowCount(layout) * 4));
    this.#rows = new Uint32Array(rows.buffer, rows.byteOffset, rowCount(layout));
    this.#scratch = workspace.arena(scratchBytes(layout));
    this.#store = workspace.arena(store);
    this.#writePicture(rows.byteOffset);
  }

  /** Pointer for the kernel: the picture's layout. */
  get picture(): number {
    return this.#state.byteOffset + at.picture;
  }

  /** Pointer for the kernel: where it remembers how far each row of blocks is coded. */
  get ends(): number {
    return this.#state.byteOffset + at.codedEnds;
  }

  /** Pointer for the kernel: the kept row of blocks of a component. */
  row(component: number, row: number): number {
    return this.#rows[this.#firstRow(component) + row]!;
  }

  /**
   * Starts to read the file of a strip, in the arena, of which `file` is a view.
   * @throws TypeError when the strip is not coded as strips must be
   */
  startStrip(file: Uint8Array): void {
    const { quantTables, codes, dataStart } = readStripFile(file);
    if (this.quantTables !== undefined && !equal(quantTables, this.quantTables)) {
      throw new TypeError('strips with different quantisation tables');
    }
    this.quantTables = quantTables;
    for (const { place, start, end } of codes) {
      const table = this.#codes + CODE_BYTES * ((place & 1) * 2 + (place >> 4));
      const read = this.kernel.readCodeTable(table, file.byteOffset + start, file.byteOffset + end);
      if (read < 0) throw new TypeError('a strip with an impossible Huffman table');
    }
    this.kernel.startStrip(this.#reader, file.byteOffset + dataStart, file.byteOffset + file.length);
  }

  /** Reads the strip's next row of MCUs. @returns whether there is room to keep it */
  readMcuRow(): boolean {
    const { kernel } = this;
    this.#pending = kernel.readMcuRow(
      this.#reader,
      this.picture,
      this.#codes,
      this.#scratch.byteOffset,
      this.#readEnds,
    );
    if (this.#pending < 0) throw new TypeError('a strip with damaged data');
    return this.#filled + this.#pending <= this.#store.length;
  }

  /** Keeps the row of MCUs that was read last; there must be room. */
  keepMcuRow(): void {
    const to = this.#store.byteOffset + this.#filled;
    const blockRows = this.#state.byteOffset + at.blockRows;
    this.kernel.keepMcuRow(this.picture, this.#scratch.byteOffset, this.#readEnds, to, this.to, blockRows);
    this.#filled += this.#pending;
    this.to++;
  }

  /** Forgets what is kept, once it is written. */
  forget(): void {
    this.from = this.to;
    this.#filled = 0;
  }

  get #reader(): number {
    return this.#state.byteOffset + at.reader;
  }

  get #readEnds(): number {
    return this.#state.byteOffset + at.readEnds;
  }

  get #codes(): number {
    return this.#state.byteOffset + at.codes;
  }

  #firstRow(component: number): number {
    const { components, mcusDown } = this.layout;
    return components.slice(0, component).reduce((sum, { vertical }) => sum + vertical * mcusDown, 0);
  }

  /** The kernel's `Picture` and its components, and the rows of blocks of each. */
  #writePicture(rows: number): void {
    const { buffer, byteOffset } = this.#state;
    const { components, mcusAcross } = this.layout;
    const words = new Uint32Array(buffer, byteOffset + at.picture, 2 + (components.length * COMPONENT_BYTES) / 4);
    words.set([components.length, mcusAcross]);
    components.forEach(({ across, horizontal, vertical }, index) => {
      words.set([across, horizontal, vertical, rows + this.#firstRow(index) * 4], 2 + index * 4);
    });
    new Uint32Array(buffer, byteOffset + at.blockRows, components.length).set(components.map(({ down }) => down));
  }
}

function rowCount({ components, mcusDown }: CodingLayout): number {
  return components.reduce((sum, { vertical }) => sum + vertical * mcusDown, 0);
}

function scratchBytes({ components }: CodingLayout): number {
  return components.reduce((sum, { vertical, across }) => sum + vertical * (across + 1) * BLOCK_BYTES, 0);
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
