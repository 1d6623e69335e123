import '../engine/load-wasm.ts';
import type { FormatId } from '../../src/image/formats/format-id.ts';
import { seededRandom } from './random.ts';

/** What the process that runs jobs says: which seed it begins with, and how it ended. */
export type FuzzMessage =
  | { readonly begins: number }
  | { readonly ended: number; readonly kind: string; readonly detail: string; readonly milliseconds: number };

/*
 * Runs jobs of one format, `node worker.ts format first end`, and tells its parent of each. A process of its own, so that one that
 * hangs can be ended.
 */
const [format, first, end] = process.argv.slice(2);
const { fuzzFile } = await import('./fuzz-file.ts');
const { fuzzJob } = await import('./fuzz-job.ts');
const { GuardedArena } = await import('./guarded-arena.ts');
const { judgeJob } = await import('./judge-job.ts');
const { fuzzSources } = await import('./sources.ts');
const { makeWatermark } = await import('./watermark.ts');

const sources = await fuzzSources(format as FormatId, true);
const mark = await makeWatermark();
const arena = new GuardedArena();
for (let seed = Number(first); seed < Number(end); seed++) {
  tell({ begins: seed });
  const start = performance.now();
  const random = seededRandom(seed);
  const file = fuzzFile(format as FormatId, sources, random);
  const outcome = await judgeJob(fuzzJob(file, mark, random), arena);
  tell({ ended: seed, ...outcome, milliseconds: performance.now() - start });
}
process.disconnect();

function tell(message: FuzzMessage): void {
  process.send?.(message);
}
