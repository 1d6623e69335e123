import type { Band, Frame } from '../frame.ts';
import type { ImageHeader } from '../header.ts';
import type { Pacer } from '../pacer.ts';
import type { SourceFile } from '../source-file.ts';
import type { Workspace } from '../workspace.ts';
import type { FormatId } from './format-id.ts';
import type { Haste } from './haste.ts';

export type { FormatId } from './format-id.ts';

/** The peak a stage takes, in bytes. */
export interface Cost {
  /** Regions of the arena (the shared WebAssembly memory). */
  readonly arena: number;
  /** The part of the arena below them that a library codec may use. */
  readonly library?: number;
  /** Buffers on the heap. */
  readonly buffers: number;
}

/**
 * Where a decoder wants its file: whole in the arena, on the heap because a library codec needs the arena for itself, or where it
 * is, to be read in windows.
 */
export type FilePlace = 'arena' | 'heap' | 'windows';

/** How a lossless file will be written smaller; `cpu` is that of the whole job. */
export interface RecompressPlan extends Pick<DecodePlan, 'cost' | 'cpu' | 'cpuAhead' | 'fileIn' | 'window'> {
  /** CPU seconds of the first reading, which finds all that is damaged. */
  readonly cpuOfFirst: number;
}

/** How a file will be decoded. Data: printable, testable. */
export interface DecodePlan {
  /** What comes out: its sides may be a fraction of the stored ones where the decoder scales while it decodes. */
  readonly frame: Frame;
  /** The decoder's own peak; the file itself is not in it. */
  readonly cost: Cost;
  /** CPU seconds of one reading of the file, for the worst that a file of this kind and length can hold. */
  readonly cpu: number;
  /** CPU seconds of them before the first rows come, if that is worth mentioning. */
  readonly cpuAhead?: number;
  /** Transform coefficients other than zero that a file of this length can hold at the most; undefined where the length says nothing. */
  readonly coefficients?: number;
  readonly fileIn: FilePlace;
  /** `windows`: bytes of one window; their regions are in `cost.arena`. A file whose parts are read in step has several. */
  readonly window?: number;
  /** `frame`: the whole picture as one band on the heap, counted in `cost.buffers`. */
  readonly delivers: 'bands' | 'frame';
  /** 1, 2, 4 or 8: the stored sides are divided by it, rounded up. */
  readonly scale: 1 | 2 | 4 | 8;
}

export interface EncodeOptions {
  /** 40–100 on the interface's perceptual scale; lossless formats ignore it. */
  readonly quality: number;
  /** Bytes of the arena that there are, for an encoder that works in less than it would like to have. */
  readonly room?: number;
  /** 0 if absent. */
  readonly haste?: Haste;
  /** Bounds the picture's detail: `DecodePlan.coefficients` of its source. Makes no difference but to `EncodePlan.cpu` and `readings`. */
  readonly coefficients?: number;
}

/** How a frame will be encoded. */
export interface EncodePlan {
  /** The encoder's own peak. Its output is not in it: it leaves in pieces. */
  readonly cost: Cost;
  /** CPU seconds of the encoder, all of its readings together, for the worst picture there is. */
  readonly cpu: number;
  /** CPU seconds of them while it is read for the first time; if absent, as many as for each other time. */
  readonly cpuOfFirst?: number;
  /** Rows that are gathered before something is done with them; one if absent. */
  readonly gathers?: number;
  /** How often the encoder may read the picture from its start. */
  readonly readings: number;
  /** `EncodeOptions.haste`, where it made a difference. */
  readonly haste?: Haste;
  /** Whether the encoder gathers the whole frame before it starts (it then owns the arena alone). */
  readonly wholeFrame: boolean;
  /** `EncodeOptions.room`, where it was planned for that. */
  readonly room?: number;
}

/** A picture format: everything that the engine knows of it. One file (or folder) each, listed in `registry`. */
export interface Format {
  readonly id: FormatId;
  readonly mediaType: string;
  readonly extension: string;
  /** Pixels a side that the format can hold. */
  readonly maxSide: number;
  /** Whether it can hold transparency. */
  readonly alpha: boolean;
  /** Whether the first bytes (at most 64 are given) are this format's signature. */
  sniff(start: Uint8Array): boolean;
  /** Reads the header. @throws FileError broken_image, unsupported_image */
  readHeader(file: Uint8Array): ImageHeader | Promise<ImageHeader>;
  /**
   * What the decoder must know of all of a file that it will read in windows, in the header. Only for formats whose headers do
   * not say it. @throws FileError broken_image
   */
  index?(file: Uint8Array, header: ImageHeader): ImageHeader;
  /** @param fileBytes above `HELD_BYTES` the file will not be held, if the format allows @param least sides in pixels, before orientation, that the next step needs at the least; the decoder may stop there. */
  planDecode(header: ImageHeader, fileBytes: number, least: { width: number; height: number }): DecodePlan;
  /** Decodes in bands from top to bottom. @throws FileError broken_image */
  decode(file: SourceFile, header: ImageHeader, plan: DecodePlan, workspace: Workspace): AsyncIterable<Band>;
  planEncode(frame: Frame, options: EncodeOptions): EncodePlan;
  /** Only for lossless formats: the same pixels again, written as small as possible, in place of decode and encode. */
  readonly recompress?: {
    plan(header: ImageHeader, fileBytes: number): RecompressPlan;
    run(
      file: SourceFile,
      header: ImageHeader,
      plan: RecompressPlan,
      workspace: Workspace,
      pacer?: Pacer,
      /** Told of each row that was read. */
      rowRead?: () => void,
    ): AsyncIterable<Uint8Array>;
  };
  /**
   * Encodes; yields the file in pieces, each the consumer's to keep. An encoder may iterate `bands` again, from the start, if it
   * has taken all its regions before the first time.
   */
  encode(
    bands: AsyncIterable<Band>,
    frame: Frame,
    options: EncodeOptions,
    workspace: Workspace,
    /** Told of work that takes much longer than taking the bands does. */
    pacer?: Pacer,
  ): AsyncIterable<Uint8Array>;
  /**
   * The same coded pixels without any metadata (EXIF, XMP, comments, thumbnails, text, profiles, trailing bytes).
   * Everything that changes how the picture is shown stays. Returns pieces of `file` and new bytes, in order.
   */
  stripMetadata(file: Uint8Array, header: ImageHeader): Uint8Array[];
}
