import { type EngineLimits, everything, keepsWithin, mayBeSmall } from '../../src/batch/engine-limits.ts';
import { type Engine, isolateEngines, smallEngine } from '../../src/batch/engines.ts';
import { fillFrom } from '../../src/batch/fill-from.ts';
import { leasedPause } from '../../src/batch/leased-pause.ts';
import { PartBuffer } from '../../src/delivery/part-buffer.ts';
import type { Cost } from '../../src/image/formats/format.ts';
import type { FormatId } from '../../src/image/formats/format-id.ts';
import { identify } from '../../src/image/identify.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import type { ImageOptions } from '../../src/image/options.ts';
import { planImage } from '../../src/image/plan.ts';
import { readHeader } from '../../src/image/read-header.ts';
import { runPlan } from '../../src/image/run-plan.ts';
import { HELD_BYTES, heldFile, type SourceFile } from '../../src/image/source-file.ts';
import type { EngineReport } from './report.ts';

/** Where the files of the running jobs are: `/{job}/picture` and `/{job}/mark`, read by ranges as a lane reads them from R2. */
interface Env {
  readonly FILES: Fetcher;
}

/**
 * The engines as a Worker of their own, without storage, accounts or simulators: what measurements of an isolate's memory run. As in a lane, a
 * small job has the small engine, others wait for the main one, and both may be at work at once.
 * `POST /?job=…&size=…&format=…&quality=…&maxWidth=…&maxHeight=…[&markBytes=…&markScale=…]` answers with the result for a picture of `size`
 * bytes; `GET /?job=…` with the `EngineReport` of a job that ended, once.
 */
export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const query = new URL(request.url).searchParams;
    const id = query.get('job') ?? '';
    if (request.method === 'GET') {
      const report = reports.get(id);
      reports.delete(id);
      return Response.json(report ?? null);
    }
    const { readable, writable } = new IdentityTransformStream();
    context.waitUntil(carryOut({ id, query, files: env.FILES, writer: writable.getWriter() }));
    return new Response(readable);
  },
};

/** Of jobs that ended and were not asked for yet. */
const reports = new Map<string, EngineReport>();

interface EngineJob {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly files: Fetcher;
  readonly writer: WritableStreamDefaultWriter;
}

/** All jobs are one account's. */
const owner = { accountId: 'measurement', weight: 1 };

/** On the small engine if the job is for it. Never rejects. */
async function carryOut(job: EngineJob): Promise<void> {
  const { small, main } = isolateEngines;
  if (mayBeSmall(Number(job.query.get('size')), job.query.get('format') as FormatId)) {
    const answer = await small.queue.run(owner, () => runOn(small, smallEngine, job));
    if (answer.kind === 'done' && answer.value) return;
  }
  await main.queue.run(owner, () => runOn(main, everything, job));
}

/** Runs a job, whatever comes of it. @returns false, with nothing done, where the engine is not for it */
async function runOn({ arena, pause }: Engine, limits: EngineLimits, job: EngineJob): Promise<boolean> {
  const { id, query, files, writer } = job;
  const workspace = new JobWorkspace(arena);
  let planned = 0;
  let bytes = 0;
  let outcome = 'done';
  try {
    const file = await openFile(job, workspace);
    const markBytes = Number(query.get('markBytes') ?? 0);
    const mark = markBytes > 0 ? await load(`${id}/mark`, markBytes, files, workspace) : undefined;
    const header = await readHeader(file, workspace);
    const options = await readOptions(query, mark);
    const plan = planImage(header, file.size, options);
    if (!keepsWithin(plan, limits)) return false;
    planned = Math.max(...Object.values(plan.memory).map(bytesOf));
    bytes = await send(
      runPlan({ file, header, options, plan, pause: leasedPause(pause, workspace) }, workspace),
      writer,
    );
  } catch (error) {
    outcome =
      error instanceof Error ? `${'code' in error ? error.code : error.stack}: ${error.message}` : String(error);
  } finally {
    workspace.finish();
  }
  const { buffers, allocated } = workspace.peak;
  reports.set(id, { outcome, planned, arena: arena.committed, buffers, allocated, bytes });
  await writer.close().catch(() => undefined);
  return true;
}

/** Bytes that are sent at once, as a lane sends them to R2. */
const SENT_AT_ONCE = 64 * 1024;

/**
 * Sends what a job yields as a lane does: gathered in a buffer that is used again and again, the pieces freed.
 * @returns how many bytes it sent
 */
async function send(pieces: AsyncIterable<Uint8Array>, writer: WritableStreamDefaultWriter): Promise<number> {
  const gathered = new PartBuffer(SENT_AT_ONCE, SENT_AT_ONCE);
  let sent = 0;
  try {
    for await (const piece of pieces) {
      sent += piece.length;
      for (let rest = gathered.take(piece); rest.length > 0; rest = gathered.take(rest)) {
        await writer.write(gathered.bytes);
        gathered.clear();
      }
      const { buffer, byteLength } = piece;
      if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
    }
    if (gathered.bytes.length > 0) await writer.write(gathered.bytes);
    return sent;
  } finally {
    gathered.free();
  }
}

function bytesOf({ arena, library = 0, buffers }: Cost): number {
  return arena + library + buffers;
}

async function readOptions(query: URLSearchParams, mark: Uint8Array | undefined): Promise<ImageOptions> {
  const number = (name: string) => (query.has(name) ? { [name]: Number(query.get(name)) } : {});
  const options = {
    format: query.get('format') as FormatId,
    quality: Number(query.get('quality') ?? 82),
    ...number('maxWidth'),
    ...number('maxHeight'),
  };
  if (mark === undefined) return options;
  const scale = Number(query.get('markScale') ?? 25);
  return {
    ...options,
    watermark: { file: mark, header: await identify(mark), scale, opacity: 80, position: 'BR' },
  };
}

/** The picture as a lane has it: a small file on the heap, a large one where it is. */
async function openFile({ id, query, files }: EngineJob, workspace: JobWorkspace): Promise<SourceFile> {
  const size = Number(query.get('size'));
  const name = `${id}/picture`;
  if (size <= HELD_BYTES) return heldFile(await load(name, size, files, workspace));
  return { size, read: (offset, into) => readRange(name, offset, into, files) };
}

async function load(name: string, size: number, files: Fetcher, workspace: JobWorkspace): Promise<Uint8Array> {
  const bytes = workspace.buffer(size);
  await readRange(name, 0, bytes, files);
  return bytes;
}

async function readRange(name: string, offset: number, into: Uint8Array, files: Fetcher): Promise<void> {
  const range = `bytes=${offset}-${offset + into.length - 1}`;
  const { body } = await files.fetch(`http://files/${name}`, { headers: { Range: range } });
  if (body === null || !(await fillFrom(body, into))) throw new RangeError('a file is shorter than it says');
}
