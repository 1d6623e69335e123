/** A filled view, or what is left of it at the end: `buffer` is the memory that was lent, under its present owner. */
export interface Pulled {
  readonly buffer: ArrayBuffer;
  readonly length: number;
  readonly done: boolean;
}

/** Reads a stream into memory that the reader lends. */
export interface ByteSource {
  /** Fills the start of `free` with at least one byte, or says that the stream is at its end. */
  pull(free: Uint8Array<ArrayBuffer>): Promise<Pulled>;
  cancel(): Promise<void>;
}

/**
 * A request's body as the platform gives it is read straight into the memory lent (which changes its owner by that, see
 * "BYOB" in the Streams standard, 4.5); other streams give chunks of their own, which are copied.
 */
export function byteSource(body: ReadableStream<Uint8Array>): ByteSource {
  try {
    return lendingSource(body.getReader({ mode: 'byob' }));
  } catch (error) {
    if (!(error instanceof TypeError) || body.locked) throw error;
    return copyingSource(body.getReader());
  }
}

function lendingSource(reader: ReadableStreamBYOBReader): ByteSource {
  return {
    async pull(free) {
      const { value, done } = await reader.read(free);
      return { buffer: (value?.buffer ?? new ArrayBuffer(0)) as ArrayBuffer, length: value?.length ?? 0, done };
    },
    cancel: () => reader.cancel(),
  };
}

function copyingSource(reader: ReadableStreamDefaultReader<Uint8Array>): ByteSource {
  let spare = new Uint8Array(0);
  return {
    async pull(free) {
      while (spare.length === 0) {
        const { value, done } = await reader.read();
        if (done) return { buffer: free.buffer, length: 0, done: true };
        spare = new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
      }
      const length = Math.min(spare.length, free.length);
      free.set(spare.subarray(0, length));
      spare = spare.subarray(length);
      return { buffer: free.buffer, length, done: false };
    },
    cancel: () => reader.cancel(),
  };
}
