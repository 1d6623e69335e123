import './engine/load-wasm.ts';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cases } from './bench/cases.ts';
import { type Measure, measure } from './bench/measure.ts';
import type { Rival } from './bench/rival.ts';
import { runJsquash } from './bench/run-jsquash.ts';
import { runSharp } from './bench/run-sharp.ts';
import { runWasmImageOptimization } from './bench/run-wasm-image-optimization.ts';

/*
 * Times the engine on standard pictures against sharp (libvips, native code) on one thread, @jsquash's codecs and
 * wasm-image-optimization: `npm run bench -- [part of a name] [--json FILE]`. The engine runs in Node here, on the same V8 and
 * WebAssembly as in a Worker. Columns after the first are ratios: the engine's number over the rival's, below 1 is better.
 */
const { runEngine } = await import('./bench/run-engine.ts');

const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
const engine: Rival = { name: 'engine', run: runEngine };
const rivals: readonly Rival[] = [
  { name: 'sharp', run: runSharp },
  { name: '@jsquash', run: runJsquash },
  { name: 'wasm-image-opt.', run: runWasmImageOptimization },
];
const results: Record<string, Record<string, Measure>> = {};

console.log(
  line(
    'CPU, bytes and difference over',
    'engine',
    rivals.map(({ name }) => name),
  ),
);
for (const each of await cases()) {
  if (!each.name.includes(positionals[0] ?? '')) continue;
  const [own, ...others] = await measure(each, [engine, ...rivals]);
  if (own === undefined) {
    console.log(line(each.name, 'failed', []));
    continue;
  }
  const first = `${own.seconds.toFixed(2)} s ${(own.bytes / 1000).toFixed(0)} kB`;
  console.log(
    line(
      each.name,
      first,
      others.map((other) => compared(own, other)),
    ),
  );
  results[each.name] = Object.fromEntries(
    [own, ...others].flatMap((found, index) => (found ? [[[engine, ...rivals][index]!.name, found]] : [])),
  );
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);

function compared(own: Measure, other: Measure | undefined): string {
  if (other === undefined) return 'cannot';
  const ratio = (of: keyof Measure) => (own[of] / other[of]).toFixed(2);
  return `${ratio('seconds')}× ${ratio('bytes')}b ${other.difference < 1e-9 ? '' : `${ratio('difference')}d`}`;
}

function line(name: string, first: string, others: readonly string[]): string {
  return [name.padEnd(32), first.padStart(16), ...others.map((text) => text.padStart(24))].join('');
}
