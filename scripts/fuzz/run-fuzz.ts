import { type FormatId, formatIds } from '../../src/image/formats/format-id.ts';
import { runSeeds, type SeedReport } from './run-seeds.ts';

export function isFormatId(name: string): name is FormatId {
  return (formatIds as readonly string[]).includes(name);
}

/** Runs `count` jobs of a format, or of each, and prints how they ended. @returns how many defects there were */
export async function runFuzz(format: FormatId | undefined, count: number, seed: number): Promise<number> {
  let defects = 0;
  for (const each of format === undefined ? formatIds : [format]) defects += await fuzzFormat(each, count, seed);
  return defects;
}

async function fuzzFormat(format: FormatId, count: number, seed: number): Promise<number> {
  const counts = new Map<string, number>();
  let slowest: SeedReport | undefined;
  await runSeeds(format, seed, seed + count, (report) => {
    const outcome = report.kind === 'refused' ? `refused, ${report.detail.split(':')[0]}` : report.kind;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (report.milliseconds > (slowest?.milliseconds ?? 0)) slowest = report;
    if ((report.seed + 1 - seed) % 1000 === 0) console.log(`${format}: ${report.seed + 1 - seed} of ${count}`);
    if (report.kind === 'defect') console.log(`${format} ${report.seed}: ${report.detail}`);
  });
  const outcomes = [...counts].sort((one, other) => other[1] - one[1]).map(([outcome, times]) => `${times} ${outcome}`);
  console.log(
    `${format}: ${outcomes.join(', ')}; the slowest, ${slowest?.seed}, took ${Math.round(slowest?.milliseconds ?? 0)} ms`,
  );
  return counts.get('defect') ?? 0;
}
