const MIB = 1024 * 1024;

/** Files of up to so many bytes are held whole while they are decoded; larger ones are read in windows where the format allows. */
export const HELD_BYTES = 4 * MIB;

/** The file that a picture is in: in memory, or in a store that is read by ranges. */
export interface SourceFile {
  /** Bytes. */
  readonly size: number;
  /** All of it, where it is in memory. */
  readonly held?: Uint8Array;
  /** Fills `into` with the bytes from `offset` on. @throws when the file does not have so many */
  read(offset: number, into: Uint8Array): Promise<void>;
}

/** A file that is in memory. */
export function heldFile(held: Uint8Array): SourceFile & { readonly held: Uint8Array } {
  return {
    size: held.length,
    held,
    async read(offset, into) {
      if (offset + into.length > held.length) throw new RangeError('a read behind the end of a file');
      into.set(held.subarray(offset, offset + into.length));
    },
  };
}

/** The bytes of a file that a plan wanted in memory. */
export function heldBytes({ held }: SourceFile): Uint8Array {
  if (held === undefined) throw new TypeError('a file was planned to be held and is not');
  return held;
}
