import type { FormatId } from '../../src/image/formats/format-id.ts';
import { joined } from './mutate-bytes.ts';
import { mutateFile } from './mutate-file.ts';
import { pick, type Random } from './random.ts';

/** So many zeros behind a file make it one that is read in windows. */
const PADDING_BYTES = 4 * 1024 * 1024;

/** A changed file of a format; a few are as long as large files are. */
export function fuzzFile(format: FormatId, sources: readonly Uint8Array[], random: Random): Uint8Array {
  const file = mutateFile(format, pick(sources, random), pick(sources, random), random);
  return random(40) === 0 ? joined(file, new Uint8Array(PADDING_BYTES)) : file;
}
