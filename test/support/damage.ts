import fc from 'fast-check';
import { expect } from 'vitest';
import { FileError } from '../../src/errors.ts';

/** Runs a reader of untrusted bytes; whatever it throws must be a FileError with a message for the public. */
export function onlyFileErrors<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(FileError);
    expect((error as FileError).message).toMatch(/\w{4,}.*\.$/);
    return undefined;
  }
}

/** Gives the file cut off at every length (in steps for large ones). */
export function* truncations(file: Uint8Array): Generator<Uint8Array> {
  const step = Math.max(1, Math.floor(file.length / 2000));
  for (let length = 0; length < file.length; length += step) yield file.slice(0, length);
}

const EDGES = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff];

/** Files like the given one with a few bytes overwritten, mostly by values at the edges of fields. */
export function damaged(file: Uint8Array, within = file.length): fc.Arbitrary<Uint8Array> {
  const value = fc.oneof(fc.constantFrom(...EDGES), fc.integer({ min: 0, max: 255 }));
  const change = fc.tuple(fc.integer({ min: 0, max: Math.min(within, file.length) - 1 }), value);
  return fc.array(change, { minLength: 1, maxLength: 8 }).map((changes) => {
    const copy = file.slice();
    for (const [at, byte] of changes) copy[at] = byte;
    return copy;
  });
}
