import '../engine/load-wasm.ts';
import sharp from 'sharp';
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
const { fuzzSources } = await import('./sources.ts');
const { GuardedArena } = await import('./guarded-arena.ts');

const sources = await fuzzSources(format as FormatId, true);
const mark = await sharp({ create: { width: 24, height: 10, channels: 4, background: '#0a5f8080' } })
  .png()
  .toBuffer();
const tools = { arena: new GuardedArena(), mark: new Uint8Array(mark) };
for (let seed = Number(first); seed < Number(end); seed++) {
  tell({ begins: seed });
  const start = performance.now();
  const random = seededRandom(seed);
  const outcome = await fuzzJob(fuzzFile(format as FormatId, sources, random), random, tools);
  tell({ ended: seed, ...outcome, milliseconds: performance.now() - start });
}
process.disconnect();

function tell(message: FuzzMessage): void {
  process.send?.(message);
}
