import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeKernel } from '../../../../src/image/formats/jpeg/decode-kernel.ts';
import { GuardedWorkspace } from './guarded-workspace.ts';

function withoutFillBytes(bytes: readonly number[]): number[] {
  return bytes.filter((byte, at) => byte !== 0xff || bytes[at + 1] !== 0xff);
}

const byte = fc.oneof(fc.constant(0xff), fc.constantFrom(0x00, 0xd0, 0xd9), fc.nat(255));
const run = fc.tuple(byte, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })));

test('of each run of 0xFF one is left, and what is left ends where it ended', () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 60 }), fc.nat(15), (runs, offset) => {
      const bytes = runs.flatMap(([value, times]) => new Array<number>(times).fill(value));
      const workspace = new GuardedWorkspace();
      const region = workspace.arena(bytes.length + offset);
      region.set(bytes, offset);
      const from = region.byteOffset + offset;
      const start = decodeKernel(workspace).dropFillBytes(from, region.byteOffset + region.length);
      expect([...region.subarray(start - region.byteOffset)]).toEqual(withoutFillBytes(bytes));
      expect(region.subarray(0, offset).every((value) => value === 0)).toBe(true);
      expect(workspace.intact).toBe(true);
    }),
    { numRuns: 300 },
  );
});
