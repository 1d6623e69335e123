import type { FormatId } from '../../src/image/formats/format-id.ts';
import type { Anatomy } from './anatomy.ts';
import { avifAnatomy } from './avif-anatomy.ts';
import { jpegAnatomy } from './jpeg-anatomy.ts';
import { joined, mutateBytes } from './mutate-bytes.ts';
import { pngAnatomy } from './png-anatomy.ts';
import { pick, type Random } from './random.ts';
import { webpAnatomy } from './webp-anatomy.ts';

const anatomies: Readonly<Record<FormatId, Anatomy>> = {
  webp: webpAnatomy,
  avif: avifAnatomy,
  jpg: jpegAnatomy,
  png: pngAnatomy,
};

type Change = (file: Uint8Array, other: Uint8Array, anatomy: Anatomy, random: Random) => Uint8Array;

const changes: readonly { readonly weight: number; readonly change: Change }[] = [
  { weight: 6, change: (file, _other, _anatomy, random) => mutateBytes(file, random) },
  { weight: 1, change: (file, _other, _anatomy, random) => file.subarray(0, random(file.length + 1)) },
  { weight: 10, change: inOnePart((part, anatomy, random) => anatomy.mutateInside(part, random)) },
  { weight: 2, change: inOnePart((part, _anatomy, random) => mutateBytes(part, random)) },
  { weight: 2, change: inOnePart((part, _anatomy, random) => part.subarray(0, random(part.length + 1))) },
  { weight: 1, change: amongParts((parts, at) => void parts.splice(at, 1)) },
  { weight: 1, change: amongParts((parts, at, random) => void parts.splice(random(parts.length), 0, parts[at]!)) },
  { weight: 1, change: amongParts((parts, at, random) => parts.push(...parts.splice(at, 1 + random(2)))) },
  {
    weight: 2,
    change: amongParts((parts, at, random, others) => {
      parts.splice(at, random(2), pick(others, random));
    }),
  },
  { weight: 1, change: splice },
];

/**
 * A file changed as accidents and attackers change files: bits, fields, lengths, parts that are missing, doubled, moved or of
 * another file, with checksums and containers that fit or do not. @param other a second file of the format
 */
export function mutateFile(format: FormatId, file: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let mutant: Uint8Array = new Uint8Array(file);
  for (let times = random(3) > 0 ? 1 : 2 + random(3); times > 0; times--) {
    mutant = weighted(random)(mutant, other, anatomies[format], random);
  }
  return new Uint8Array(mutant);
}

function weighted(random: Random): Change {
  let left = random(changes.reduce((sum, { weight }) => sum + weight, 0));
  for (const { weight, change } of changes) {
    left -= weight;
    if (left < 0) return change;
  }
  throw new RangeError('weights that do not add up');
}

function inOnePart(change: (part: Uint8Array, anatomy: Anatomy, random: Random) => Uint8Array): Change {
  return (file, _other, anatomy, random) => {
    const parts = anatomy.split(file);
    const at = random(parts.length);
    return anatomy.join(parts.with(at, change(parts[at]!, anatomy, random)));
  };
}

function amongParts(
  change: (parts: Uint8Array[], at: number, random: Random, others: readonly Uint8Array[]) => void,
): Change {
  return (file, other, anatomy, random) => {
    const parts = anatomy.split(file);
    change(parts, random(parts.length), random, anatomy.split(other));
    return anatomy.join(parts);
  };
}

/** The beginning of one file and the end of another. */
function splice(file: Uint8Array, other: Uint8Array, _anatomy: Anatomy, random: Random): Uint8Array {
  const at = random(file.length + 1);
  return joined(file.subarray(0, at), other.subarray(Math.min(at, random(other.length + 1))));
}
