import './engine/load-wasm.ts';
import { cpuJobs } from './calibrate-cpu/jobs.ts';

/*
 * Measures what jobs cost in CPU time against what their plans say: `npm run calibrate-cpu -- [part of a name]`. The engine runs in this
 * process, warmed up, one job after the other; the better of two runs counts, since what disturbs the machine only adds. Above 1 the plan
 * promised less than was used. The coefficients are beside the plans: `src/image/formats/**\/*-cpu.ts` and the steps.
 */
const { measureCpu } = await import('./calibrate-cpu/measure-cpu.ts');

const part = process.argv[2] ?? '';
const ratios: { name: string; kind: string; ratio: number }[] = [];
await measureCpu({
  name: 'warm-up',
  kind: 'noise',
  make: 'noise',
  width: 640,
  height: 640,
  source: 'jpeg 80',
  options: { format: 'avif' },
});
for (const job of cpuJobs) {
  if (!job.name.includes(part)) continue;
  const found = await measureCpu(job);
  if (found === undefined) continue;
  const ratio = found.measured / found.planned;
  ratios.push({ name: job.name, kind: job.kind, ratio });
  console.log(
    `${job.name.padEnd(52)} ${found.measured.toFixed(2).padStart(8)} s of ${found.planned.toFixed(2).padStart(7)} s planned ${ratio.toFixed(2)}`,
  );
}
for (const kind of ['noise', 'texture', 'photo']) {
  const of = ratios.filter((each) => each.kind === kind).sort((a, b) => a.ratio - b.ratio);
  if (of.length === 0) continue;
  const [least, most] = [of[0]!, of.at(-1)!];
  const median = of[of.length >> 1]!;
  console.log(
    `${kind}: ${of.length} jobs, measured / planned ${least.ratio.toFixed(2)} (${least.name}), median ${median.ratio.toFixed(2)}, most ${most.ratio.toFixed(2)} (${most.name})`,
  );
}
