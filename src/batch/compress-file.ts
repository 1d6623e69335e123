import type { ResultStore } from '../delivery/result-store.ts';
import { FileError } from '../errors.ts';
import { registry } from '../image/formats/registry.ts';
import type { ImageHeader } from '../image/header.ts';
import { identify } from '../image/identify.ts';
import { JobWorkspace } from '../image/job-workspace.ts';
import type { Arena } from '../image/kernels/arena.ts';
import type { ImageOptions, WatermarkOptions } from '../image/options.ts';
import type { Pause } from '../image/pacer.ts';
import { type Plan, planImage } from '../image/plan.ts';
import { readHeader } from '../image/read-header.ts';
import { runPlan } from '../image/run-plan.ts';
import { wholeFile } from '../image/whole-file.ts';
import { WorkDone } from '../image/work-done.ts';
import type { FileJob, ImageRequest } from './file-job.ts';
import { leasedPause } from './leased-pause.ts';
import type { FileOutcome } from './outcome.ts';
import { type PictureFacts, pictureFacts } from './picture-facts.ts';
import { loadStaged, openStaged } from './staged-file.ts';
import type { Staging } from './staging.ts';

export interface CompressFileServices {
  readonly staging: Staging;
  readonly results: ResultStore;
  readonly arena: Arena;
  /** Lets the isolate's other requests in while an image is computed. */
  readonly pause?: Pause;
}

/** What a plan takes of an arena that is not for every job. */
export interface EngineLimits {
  /** Bytes of the arena. */
  readonly arena: number;
  /** Bytes on the heap. */
  readonly buffers: number;
  /** Estimated CPU seconds. */
  readonly cpuSeconds: number;
}

/**
 * One file's story: staging → header → plan → pixels → results. A file that cannot be processed is an outcome, not an
 * error. The caller sees to it that the arena serves one job at a time.
 * @throws when the platform fails or the engine has a defect: the job may be repeated elsewhere
 */
export async function compressFile(job: FileJob, services: CompressFileServices): Promise<FileOutcome> {
  return (await compressWithin(job, services, everything))!;
}

/** The same where the plan keeps within limits; undefined, with nothing done, where it does not. */
export async function compressWithin(
  job: FileJob,
  services: CompressFileServices,
  engine: EngineLimits,
): Promise<FileOutcome | undefined> {
  const workspace = new JobWorkspace(services.arena);
  let work: WorkDone | undefined;
  const accepted = (plan: Plan) => {
    if (!keepsWithin(plan, engine)) return undefined;
    work = new WorkDone(plan);
    return work;
  };
  try {
    const stored = await storeResult(job, services, workspace, accepted);
    return stored && { kind: 'done', ...stored };
  } catch (error) {
    // Whoever lost the arena has looked at another job's bytes: that says nothing about the file.
    workspace.check();
    if (error instanceof FileError) return failed(error, work);
    throw error;
  } finally {
    workspace.finish();
  }
}

const everything: EngineLimits = {
  arena: Number.POSITIVE_INFINITY,
  buffers: Number.POSITIVE_INFINITY,
  cpuSeconds: Number.POSITIVE_INFINITY,
};

function failed({ code, message }: FileError, work: WorkDone | undefined): FileOutcome {
  return { kind: 'failed', error: code, message, ...(work && { cpuSeconds: work.cpuSeconds }) };
}

/**
 * @param accepted is told the plan; undefined where the engine is not for it
 * @returns bytes of the stored result and what it shows; undefined, with nothing stored, where the plan was not accepted
 */
async function storeResult(
  job: FileJob,
  services: CompressFileServices,
  workspace: JobWorkspace,
  accepted: (plan: Plan) => WorkDone | undefined,
): Promise<{ size: number; picture: PictureFacts } | undefined> {
  const { staging, results } = services;
  const pause = leasedPause(services.pause, workspace);
  const file = await openStaged(job.file, staging, workspace);
  const header = await readHeader(file, workspace);
  const options = await imageOptions(job.image, staging, workspace);
  const plan = planImage(header, file.size, options);
  const work = accepted(plan);
  if (work === undefined) return undefined;
  const meta = { ...job.result, account: job.accountId, mediaType: registry[options.format].mediaType };
  const pieces = runPlan({ file, header, options, plan, work, pause }, workspace);
  const { size } = await results.write(meta.key, freed(pieces, workspace), meta);
  workspace.finish();
  const made = { size, picture: pictureFacts(header, plan, false) };
  if (!mayKeepOriginal(plan, size, file.size)) return made;
  const stripped = await strip(job, header, staging, workspace);
  if (stripped.size > size) return made;
  const kept = await results.write(meta.key, inPieces(stripped.pieces), meta);
  return { size: kept.size, picture: pictureFacts(header, plan, true) };
}

function keepsWithin({ memory, cpuSeconds }: Plan, { arena, buffers, ...most }: EngineLimits): boolean {
  if (cpuSeconds > most.cpuSeconds) return false;
  return [memory.header, memory.decode, memory.encode].every(
    (cost) => cost.arena + (cost.library ?? 0) <= arena && cost.buffers <= buffers,
  );
}

/** A file that is smaller than the one sent is always kept; otherwise the original without metadata may be worth more. */
function mayKeepOriginal(plan: Plan, size: number, fileBytes: number): boolean {
  return plan.mayKeepOriginal && size >= fileBytes * STRIPPED_SHARE;
}

/** Metadata is rarely more than this share of a file: below it, the original is not worth reading again. */
const STRIPPED_SHARE = 0.5;

/** The file without metadata: views of it, valid until the workspace is finished. */
async function strip({ file }: FileJob, header: ImageHeader, staging: Staging, workspace: JobWorkspace) {
  const bytes = await wholeFile(await openStaged(file, staging, workspace), workspace);
  const pieces = registry[header.format].stripMetadata(bytes, header);
  return { pieces, size: pieces.reduce((sum, { length }) => sum + length, 0) };
}

/**
 * Passes pieces on and gives back the memory of each once the next one is wanted: what is only dropped stays until the collector
 * comes by, and a large result has hundreds.
 */
async function* freed(pieces: AsyncIterable<Uint8Array>, workspace: JobWorkspace): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    // Whoever took it may have been slow.
    workspace.check();
    const { buffer, byteLength } = piece;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  }
}

async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function imageOptions(image: ImageRequest, staging: Staging, workspace: JobWorkspace): Promise<ImageOptions> {
  const { watermark, ...options } = image;
  return watermark === undefined
    ? options
    : { ...options, watermark: await loadWatermark(watermark, staging, workspace) };
}

async function loadWatermark(
  { file, scale, opacity, position }: NonNullable<ImageRequest['watermark']>,
  staging: Staging,
  workspace: JobWorkspace,
): Promise<WatermarkOptions> {
  const bytes = await loadStaged(file, staging, workspace);
  return { file: bytes, header: await identify(bytes), scale, opacity, position };
}
