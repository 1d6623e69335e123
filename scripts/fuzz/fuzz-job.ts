import sharp from 'sharp';
import { FileError } from '../../src/errors.ts';
import type { Cost } from '../../src/image/formats/format.ts';
import { type FormatId, formatIds } from '../../src/image/formats/format-id.ts';
import { registry } from '../../src/image/formats/registry.ts';
import type { ImageHeader, Orientation } from '../../src/image/header.ts';
import { identify } from '../../src/image/identify.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { joinBytes } from '../../src/image/join-bytes.ts';
import { type ImageOptions, watermarkPositions } from '../../src/image/options.ts';
import { type Plan, planImage } from '../../src/image/plan.ts';
import { readHeader } from '../../src/image/read-header.ts';
import { runPlan } from '../../src/image/run-plan.ts';
import { HELD_BYTES, heldFile, type SourceFile } from '../../src/image/source-file.ts';
import type { GuardedArena } from './guarded-arena.ts';
import { pick, type Random } from './random.ts';

/** How a job ended. Anything but a picture or a refusal is a defect. */
export interface FuzzOutcome {
  readonly kind: 'picture' | 'refused' | 'abandoned' | 'too large to run' | 'defect';
  /** The refusal's code and message, or what is wrong. */
  readonly detail: string;
}

export interface FuzzTools {
  readonly arena: GuardedArena;
  /** A PNG for watermarks. */
  readonly mark: Uint8Array;
}

/** Pictures that a few changed bytes made so large are planned; only some of them are run, at a small size. */
const LARGE_PIXELS = 2_000_000;
const LARGEST_PIXELS = 24_000_000;

/**
 * Takes a file through all of the engine with options by chance: header, plan, pixels, new file, and the file without its
 * metadata. @returns never throws for what the engine does
 */
export async function fuzzJob(file: Uint8Array, random: Random, tools: FuzzTools): Promise<FuzzOutcome> {
  const { arena } = tools;
  arena.begin();
  const workspace = new JobWorkspace(arena);
  let outcome: FuzzOutcome;
  try {
    outcome = await carryOut(file, random, tools, workspace);
  } catch (error) {
    outcome = error instanceof FileError ? refusal(error) : defect(`it throws ${traceOf(error)}`);
  } finally {
    workspace.finish();
  }
  if (arena.faults.length > 0) return defect(arena.faults[0]!);
  return arena.clean ? outcome : defect('something is left in the arena');
}

async function carryOut(
  bytes: Uint8Array,
  random: Random,
  tools: FuzzTools,
  workspace: JobWorkspace,
): Promise<FuzzOutcome> {
  const source = sourceFile(bytes, random, workspace);
  const read = await readHeader(source, workspace);
  const header = turned(read, random);
  const options = await anyOptions(header, random, tools, workspace);
  const plan = planImage(header, source.size, options);
  const pixels = header.width * header.height;
  if (pixels > LARGEST_PIXELS || (pixels > LARGE_PIXELS && random(4) > 0))
    return { kind: 'too large to run', detail: '' };
  const pieces = await collect(runPlan({ file: source, header, options, plan }, workspace), random);
  const costs = Object.values(plan.memory);
  const promised = Math.max(...costs.map(({ buffers }: Cost) => buffers));
  const { peak } = workspace;
  if (peak.buffers > promised) return defect(`${peak.buffers} bytes of buffers were taken, ${promised} planned`);
  const most = mostCalls(header, plan, bytes.length);
  if (tools.arena.calls > most) return defect(`kernels were called ${tools.arena.calls} times, more than ${most}`);
  if (pieces === undefined) return { kind: 'abandoned', detail: '' };
  const fault = (await unreadable(joinBytes(pieces), plan)) ?? (await badlyStripped(bytes, read));
  return fault === undefined ? { kind: 'picture', detail: '' } : defect(fault);
}

/** Large files are not held, and half of the small ones are not either. */
function sourceFile(bytes: Uint8Array, random: Random, workspace: JobWorkspace): SourceFile {
  const held = heldFile(new Uint8Array(bytes));
  if (held.size > HELD_BYTES || random(2) === 0) return { size: held.size, read: held.read };
  workspace.adopt(held.held);
  return held;
}

/** Any file may be turned: half of them are, by chance. */
function turned(header: ImageHeader, random: Random): ImageHeader {
  return random(2) === 0 ? header : { ...header, orientation: (1 + random(8)) as Orientation };
}

async function anyOptions(
  header: ImageHeader,
  random: Random,
  tools: FuzzTools,
  workspace: JobWorkspace,
): Promise<ImageOptions> {
  const format = pick<FormatId>([...formatIds, 'webp', 'jpg', 'png'], random);
  const pixels = header.width * header.height;
  const most = format === 'avif' ? LARGE_PIXELS / 10 : LARGE_PIXELS;
  const resized = pixels > most || random(2) === 0;
  return {
    format,
    quality: 40 + random(61),
    ...(resized && { maxWidth: 1 + random(200), maxHeight: 1 + random(200) }),
    ...(random(8) === 0 && { watermark: await anyMark(random, tools, workspace) }),
  };
}

async function anyMark(random: Random, { mark }: FuzzTools, workspace: JobWorkspace) {
  const file = workspace.buffer(mark.length);
  file.set(mark);
  const position = pick(watermarkPositions, random);
  return { file, header: await identify(file), scale: 5 + random(46), opacity: random(101), position };
}

/** All pieces, or undefined where the job was given up half way, as one in sixteen is. */
async function collect(pieces: AsyncIterable<Uint8Array>, random: Random): Promise<Uint8Array[] | undefined> {
  const wanted = random(16) === 0 ? random(3) : Number.POSITIVE_INFINITY;
  const all: Uint8Array[] = [];
  for await (const piece of pieces) {
    all.push(piece);
    if (all.length > wanted) return undefined;
  }
  return all;
}

/** A PNG's stream is read on for so long behind the picture, in search of its end. */
const SURPLUS_BYTES = 1024 * 1024;

/**
 * Far more calls than any job makes: each row of what is stored and of what comes out, and each byte of the file, costs a few in
 * each reading. A surplus is read in rows, which may be a byte or two.
 */
function mostCalls({ format, width, height }: ImageHeader, { frame }: Plan, fileBytes: number): number {
  const surplus = format === 'png' ? SURPLUS_BYTES : 0;
  return 1000 + 200 * (width + height + frame.width + frame.height) + 4 * fileBytes + surplus;
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

function refusal({ code, message }: FileError): FuzzOutcome {
  const forPeople = /^[A-Z].{20,400}\.$/s.test(message) && !/undefined|NaN|null|\bat .*:\d+|\/src\//.test(message);
  return forPeople ? { kind: 'refused', detail: `${code}: ${message}` } : defect(`a message for nobody: ${message}`);
}

function defect(detail: string): FuzzOutcome {
  return { kind: 'defect', detail };
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
