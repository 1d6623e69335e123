import sharp from 'sharp';
import type { EngineReport } from '../engine/report.ts';
import type { EngineRuntime } from '../engine/runtime.ts';
import { type MatrixJob, parameters } from './matrix.ts';
import { mark, type SourceKind, source } from './sources.ts';

/** The last few sources: a job's neighbours in the matrix use the same ones. */
const kept = new Map<string, Promise<Uint8Array>>();
const KEPT = 16;

/** What one job took. */
export interface JobMeasure {
  readonly report: EngineReport;
  readonly seconds: number;
}

/** Runs a job of the matrix and looks at the result. @throws Error when the result is not the picture that was asked for */
export async function runJob(runtime: EngineRuntime, job: MatrixJob): Promise<JobMeasure> {
  const picture = await keptSource(job.kind, job.megapixels, job.treatment === 'rotated');
  const watermark = job.treatment === 'watermark' ? await mark() : undefined;
  const start = performance.now();
  const { report, result } = await runtime.run(picture, parameters(job), watermark);
  const seconds = (performance.now() - start) / 1000;
  if (report.outcome === 'done') await checkResult(job, picture, result);
  return { report, seconds };
}

async function checkResult(job: MatrixJob, picture: Uint8Array, result: Uint8Array): Promise<void> {
  const before = await sharp(picture).metadata();
  const after = await sharp(result).metadata();
  // Of an AVIF, sharp says what it is like upright.
  const turned = job.treatment === 'rotated' && job.kind !== 'avif';
  const [width, height] = turned ? [before.height, before.width] : [before.width, before.height];
  const scale = job.treatment === '1920' ? Math.min(1, 1920 / width) : 1;
  if (after.width !== Math.round(width * scale) || Math.abs(after.height - height * scale) > 1) {
    throw new Error(`${job.name} gave ${after.width} × ${after.height} of ${width} × ${height}`);
  }
}

/** A source picture; made when it is first asked for. */
export function keptSource(kind: SourceKind, megapixels: number, rotated: boolean): Promise<Uint8Array> {
  const name = `${kind} ${megapixels} ${rotated}`;
  const present = kept.get(name) ?? source(kind, megapixels, rotated);
  kept.delete(name);
  kept.set(name, present);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return present;
}
