import sharp from 'sharp';
import { FileError } from '../../src/errors.ts';
import type { Cost } from '../../src/image/formats/format.ts';
import { registry } from '../../src/image/formats/registry.ts';
import type { ImageHeader } from '../../src/image/header.ts';
import { identify } from '../../src/image/identify.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { joinBytes } from '../../src/image/join-bytes.ts';
import type { ImageOptions } from '../../src/image/options.ts';
import { type Plan, planImage } from '../../src/image/plan.ts';
import { readHeader } from '../../src/image/read-header.ts';
import { runPlan } from '../../src/image/run-plan.ts';
import { HELD_BYTES, heldFile, type SourceFile } from '../../src/image/source-file.ts';
import type { GuardedArena } from './guarded-arena.ts';

/** How a job ended. Anything but a picture or a refusal is a defect. */
export interface JobOutcome {
  readonly kind: 'picture' | 'refused' | 'abandoned' | 'too large to run' | 'defect';
  /** The refusal's code and message, or what is wrong. */
  readonly detail: string;
}

/** A job whose header is yet to be read. */
export interface UntriedJob {
  readonly bytes: Uint8Array;
  /** Whether the file is read by ranges although it is small. */
  readonly unheld?: boolean;
  /** What is to be done with the picture. It may be turned by another header; undefined: nothing, it is too large to be tried. */
  choose(header: ImageHeader): Promise<{ readonly header: ImageHeader; readonly options: ImageOptions } | undefined>;
  /** Pieces of the new file after which nobody wants more of them. */
  readonly abandonAfter?: number;
}

/**
 * Takes a file through all of the engine: header, plan, pixels, new file, and the file without its metadata. The job must end with a
 * picture that others can read or with a refusal that people understand, within its plan, and leave nothing behind.
 * @returns never throws for what the engine does
 */
export async function judgeJob(job: UntriedJob, arena: GuardedArena): Promise<JobOutcome> {
  arena.begin();
  const workspace = new JobWorkspace(arena);
  let outcome: JobOutcome;
  try {
    outcome = await carryOut(job, arena, workspace);
  } catch (error) {
    outcome = error instanceof FileError ? judgeRefusal(error) : defect(`it throws ${traceOf(error)}`);
  } finally {
    workspace.finish();
  }
  if (arena.faults.length > 0) return defect(arena.faults[0]!);
  return arena.clean ? outcome : defect('something is left in the arena');
}

async function carryOut(job: UntriedJob, arena: GuardedArena, workspace: JobWorkspace): Promise<JobOutcome> {
  const { bytes } = job;
  const file = sourceFile(job, workspace);
  const read = await readHeader(file, workspace);
  const chosen = await job.choose(read);
  if (chosen === undefined) return { kind: 'too large to run', detail: '' };
  const { header, options } = chosen;
  if (options.watermark) workspace.adopt(options.watermark.file);
  const plan = planImage(header, file.size, options);
  const pieces = await collect(runPlan({ file, header, options, plan }, workspace), job.abandonAfter);
  const fault = brokenPromise(plan, workspace) ?? tooMuchWork(header, plan, bytes.length, arena);
  if (fault !== undefined) return defect(fault);
  if (pieces === undefined) return { kind: 'abandoned', detail: '' };
  const wrong = (await unreadable(joinBytes(pieces), plan)) ?? (await badlyStripped(bytes, read));
  return wrong === undefined ? { kind: 'picture', detail: '' } : defect(wrong);
}

/** Large files are never held. */
function sourceFile({ bytes, unheld }: UntriedJob, workspace: JobWorkspace): SourceFile {
  const held = heldFile(new Uint8Array(bytes));
  if (held.size > HELD_BYTES || unheld) return { size: held.size, read: held.read };
  workspace.adopt(held.held);
  return held;
}

/** All pieces, or undefined where the job was given up. */
async function collect(pieces: AsyncIterable<Uint8Array>, wanted = Infinity): Promise<Uint8Array[] | undefined> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) {
    all.push(piece);
    if (all.length > wanted) return undefined;
  }
  return all;
}

function brokenPromise({ memory }: Plan, { peak }: JobWorkspace): string | undefined {
  const promised = Math.max(...Object.values(memory).map(({ buffers }: Cost) => buffers));
  if (peak.buffers <= promised) return undefined;
  return `${peak.buffers} bytes of buffers were taken, ${promised} planned`;
}

/** A PNG's stream is read on for so long behind the picture, in search of its end. */
const SURPLUS_BYTES = 1024 * 1024;

/**
 * Far more calls of kernels than any job makes: each row of what is stored and of what comes out, and each byte of the file, costs a
 * few in each reading. A surplus is read in rows, which may be a byte or two.
 */
function tooMuchWork(
  { format, width, height }: ImageHeader,
  { frame }: Plan,
  fileBytes: number,
  { calls }: GuardedArena,
): string | undefined {
  const surplus = format === 'png' ? SURPLUS_BYTES : 0;
  const most = 1000 + 200 * (width + height + frame.width + frame.height) + 4 * fileBytes + surplus;
  return calls > most ? `kernels were called ${calls} times, more than ${most}` : undefined;
}

/** What is wrong with the new file, as another decoder sees it. */
async function unreadable(file: Uint8Array, { frame }: Plan): Promise<string | undefined> {
  try {
    const { info } = await sharp(file, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
    if (info.width === frame.width && info.height === frame.height) return undefined;
    return `the result has ${info.width} × ${info.height} pixels, not ${frame.width} × ${frame.height}`;
  } catch (error) {
    return `the result cannot be read: ${error}`;
  }
}

/** A picture that was read must still be one without its metadata. */
async function badlyStripped(file: Uint8Array, header: ImageHeader): Promise<string | undefined> {
  const stripped = joinBytes(registry[header.format].stripMetadata(file, header));
  try {
    const { width, height } = await identify(stripped);
    if (width === header.width && height === header.height) return undefined;
    return `without metadata it has ${width} × ${height} pixels, not ${header.width} × ${header.height}`;
  } catch (error) {
    return `without metadata it cannot be read: ${error}`;
  }
}

/** A sentence or two that say nothing of what is inside. */
function judgeRefusal({ code, message }: FileError): JobOutcome {
  const forPeople = /^[A-Z].{20,400}\.$/s.test(message) && !/undefined|NaN|null|\bat .*:\d+|\/src\//.test(message);
  return forPeople ? { kind: 'refused', detail: `${code}: ${message}` } : defect(`a message for nobody: ${message}`);
}

function defect(detail: string): JobOutcome {
  return { kind: 'defect', detail };
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
