import { type Random, seededRandom } from '../../../../scripts/fuzz/random.ts';
import { joinBytes } from '../../../../src/image/join-bytes.ts';

/** A file changed as accidents and attackers change files: the same for the same seed. */
export function mutate(file: Uint8Array, seed: number): Uint8Array<ArrayBuffer> {
  const random = seededRandom(seed);
  let bytes = new Uint8Array(file);
  for (let changes = 1 + random(4); changes > 0; changes--) bytes = changed(bytes, random);
  return bytes;
}

function changed(bytes: Uint8Array<ArrayBuffer>, random: Random): Uint8Array<ArrayBuffer> {
  if (bytes.length < 4) return bytes;
  const at = place(bytes.length, random);
  const run = 1 + random(random(4) === 0 ? 200 : 8);
  switch (random(8)) {
    case 0:
      bytes[at] = random(256);
      return bytes;
    case 1:
      bytes[at]! ^= 1 << random(8);
      return bytes;
    case 2:
      bytes[at] = [0x00, 0xff, 0x7f, 0x80, 0xd0 + random(8), 0xd9, 0xda, 0xc4][random(8)]!;
      return bytes;
    case 3:
      return bytes.slice(0, at);
    case 4:
      return joinBytes([bytes.subarray(0, at), bytes.subarray(at + run)]);
    case 5:
      return joinBytes([bytes.subarray(0, at + run), bytes.subarray(at)]);
    case 6:
      return joinBytes([bytes.subarray(0, at), new Uint8Array(run).map(() => random(256)), bytes.subarray(at)]);
    default:
      bytes.fill(random(2) === 0 ? 0 : random(256), at, at + run);
      return bytes;
  }
}

/** Half of all changes are in the first part of a file, where the headers and tables are. */
function place(length: number, random: Random): number {
  return random(2) === 0 ? 2 + random(Math.min(length - 2, 700)) : random(length);
}
