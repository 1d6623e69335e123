import './engine/load-wasm.ts';
import { cases } from './bench/cases.ts';
import { median } from './bench/median.ts';
import { runSharp } from './bench/run-sharp.ts';

/*
 * Times the engine on standard pictures against sharp (libvips, native code) on one thread: `npm run bench [part of a name]`.
 * The engine runs in Node here, on the same V8 and WebAssembly as in a Worker.
 */

const { runEngine } = await import('./bench/run-engine.ts');

/** A case is repeated until it has taken this long or often enough; the median counts. */
const CASE_MS = 3500;
const MOST_RUNS = 7;

const [wanted = ''] = process.argv.slice(2);

async function time(run: () => Promise<number>): Promise<{ ms: number; bytes: number; runs: number }> {
  const bytes = await run();
  const times: number[] = [];
  const begin = performance.now();
  do {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  } while (times.length < MOST_RUNS && performance.now() - begin < CASE_MS);
  return { ms: median(times), bytes, runs: times.length };
}

console.log('case                              engine        sharp     ratio     bytes, of sharp');
for (const each of await cases()) {
  if (!each.name.includes(wanted)) continue;
  const engine = await time(() => runEngine(each));
  const sharp = await time(() => runSharp(each));
  const cells = [
    each.name.padEnd(30),
    `${engine.ms.toFixed(0)} ms ×${engine.runs}`.padStart(13),
    `${sharp.ms.toFixed(0)} ms ×${sharp.runs}`.padStart(12),
    `${(engine.ms / sharp.ms).toFixed(2)}×`.padStart(8),
    `${(engine.bytes / 1000).toFixed(0)} kB`.padStart(9),
    `${((engine.bytes / sharp.bytes) * 100).toFixed(0)} %`.padStart(6),
  ];
  console.log(cells.join(' '));
}
