import { compressionEffort } from './compression-effort.ts';
import { type DeflateEffort, type Deflater, deflateEfforts } from './deflater.ts';
import type { PixelEncoding } from './pixel-encoding.ts';
import { type FilterStrategy, filterStrategies, type RowCoder } from './row-coder.ts';
import type { RowSample } from './row-sample.ts';

/** How many of the candidates that are smallest at little effort are compared again with more. */
const FINALISTS = 3;

/** Filtered bytes up to which more of them are, with all effort. */
const SMALL_BYTES = 128 * 1024;

/** Everything that is open in writing a PNG without loss. */
export interface Compression {
  readonly encoding: PixelEncoding;
  readonly filter: FilterStrategy;
  readonly effort: DeflateEffort;
}

interface Candidate {
  readonly encoding: PixelEncoding;
  readonly filter: FilterStrategy;
  /** Bytes that the sample takes, and those of its filtered rows. */
  readonly bytes: number;
  readonly filteredBytes: number;
}

/** What candidates are tried with; both are free afterwards. */
export interface TrialTools {
  readonly coder: RowCoder;
  readonly deflater: Deflater;
}

/**
 * Finds the encoding and filter that make the sample smallest, by trying them, and the effort that suits the picture.
 * @param representative whether the sample is from all over the picture: otherwise each row must choose its filter anew
 */
export function chooseCompression(
  sample: RowSample,
  height: number,
  encodings: readonly PixelEncoding[],
  representative: boolean,
  tools: TrialTools,
): Compression {
  const attempt = (encoding: PixelEncoding, filter: FilterStrategy, effort: DeflateEffort): Candidate => {
    const bytes = deflatedBytes(sample, encoding, filter, effort, tools) + sideBytes(encoding);
    return { encoding, filter, bytes, filteredBytes: sample.rows * tools.coder.bytes };
  };
  const bySize = (a: Candidate, b: Candidate): number => a.bytes - b.bytes;
  const candidates = encodings
    .flatMap((encoding) => filtersFor(encoding, representative).map((filter) => [encoding, filter] as const))
    .map(([encoding, filter]) => attempt(encoding, filter, deflateEfforts.quick))
    .sort(bySize);
  const small = candidates[0]!.filteredBytes <= SMALL_BYTES;
  const [best] = candidates
    .slice(0, small ? 2 * FINALISTS : FINALISTS)
    .map(({ encoding, filter }) => attempt(encoding, filter, small ? deflateEfforts.best : deflateEfforts.high))
    .sort(bySize);
  const { encoding, filter, bytes, filteredBytes } = best!;
  const effort = compressionEffort((filteredBytes / sample.rows) * height, bytes / filteredBytes);
  return { encoding, filter, effort };
}

/** Differences of packed samples or of palette indices mean little, so few of the filters can help there. */
function filtersFor({ layout }: PixelEncoding, representative: boolean): readonly FilterStrategy[] {
  if (layout.bitDepth < 8) return ['none', 'up', 'least-sum', 'least-entropy'];
  return representative ? filterStrategies : ['least-sum', 'least-entropy'];
}

function deflatedBytes(
  sample: RowSample,
  encoding: PixelEncoding,
  filter: FilterStrategy,
  effort: DeflateEffort,
  { coder, deflater }: TrialTools,
): number {
  coder.begin(encoding, filter);
  deflater.begin(effort, true);
  for (let index = 0; index < sample.rows; index++) drain(deflater.deflate(coder.code(sample.row(index)), coder.bytes));
  drain(deflater.end());
  return deflater.size;
}

/** A dry run has no output, but has to be carried out. */
function drain(pieces: Iterator<Uint8Array>): void {
  while (!pieces.next().done);
}

/** Bytes that the encoding takes beside the picture data. */
function sideBytes({ palette, key }: PixelEncoding): number {
  if (!palette) return key ? 12 + 2 * key.length : 0;
  let transparent = 0;
  for (let at = 3; at < palette.length; at += 4) if (palette[at] !== 255) transparent++;
  return 12 + (palette.length / 4) * 3 + (transparent > 0 ? 12 + transparent : 0);
}
