import { fillFrom } from '../../src/batch/fill-from.ts';
import { PartBuffer } from '../../src/delivery/part-buffer.ts';
import type { Cost } from '../../src/image/formats/format.ts';
import type { FormatId } from '../../src/image/formats/format-id.ts';
import { identify } from '../../src/image/identify.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { isolateArena } from '../../src/image/kernels/arena.ts';
import type { ImageOptions } from '../../src/image/options.ts';
import { planImage } from '../../src/image/plan.ts';
import { readHeader } from '../../src/image/read-header.ts';
import { runPlan } from '../../src/image/run-plan.ts';
import { HELD_BYTES, heldFile, type SourceFile } from '../../src/image/source-file.ts';
import type { EngineReport } from './report.ts';

/** Where the files of the running job are: `/picture` and `/mark`, read by ranges as a lane reads them from R2. */
interface Env {
  readonly FILES: Fetcher;
}

/**
 * The engine as a Worker of its own, without storage, accounts or simulators: what measurements of an isolate's memory run.
 * `POST /?size=…&format=…&quality=…&maxWidth=…&maxHeight=…[&markBytes=…&markScale=…]` answers with the result for a picture of `size` bytes;
 * `GET /` with the `EngineReport` of the last job.
 */
export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    if (request.method === 'GET') return Response.json(report);
    const workspace = new JobWorkspace(isolateArena);
    report = { outcome: 'running', planned: 0, arena: 0, buffers: 0, allocated: 0, bytes: 0 };
    const pieces = job(new URL(request.url).searchParams, env.FILES, workspace);
    const { readable, writable } = new IdentityTransformStream();
    context.waitUntil(send(pieces, writable.getWriter()));
    return new Response(readable);
  },
};

/** Bytes that are sent at once, as a lane sends them to R2. */
const SENT_AT_ONCE = 64 * 1024;

/** Sends what a job yields as a lane does: gathered in a buffer that is used again and again, the pieces freed. Never rejects. */
async function send(pieces: AsyncGenerator<Uint8Array>, writer: WritableStreamDefaultWriter): Promise<void> {
  const gathered = new PartBuffer(SENT_AT_ONCE, SENT_AT_ONCE);
  try {
    for await (const piece of pieces) {
      for (let rest = gathered.take(piece); rest.length > 0; rest = gathered.take(rest)) {
        await writer.write(gathered.bytes);
        gathered.clear();
      }
      const { buffer, byteLength } = piece;
      if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
    }
    if (gathered.bytes.length > 0) await writer.write(gathered.bytes);
    await writer.close();
  } catch {
    // The reader has gone.
  } finally {
    gathered.free();
  }
}

let report: EngineReport | undefined;

async function* job(query: URLSearchParams, files: Fetcher, workspace: JobWorkspace): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let planned = 0;
  let outcome = 'done';
  try {
    const file = await openFile(Number(query.get('size')), files, workspace);
    const markBytes = Number(query.get('markBytes') ?? 0);
    const mark = markBytes > 0 ? await load('mark', markBytes, files, workspace) : undefined;
    const header = await readHeader(file, workspace);
    const options = await readOptions(query, mark);
    const plan = planImage(header, file.size, options);
    planned = Math.max(...Object.values(plan.memory).map(bytesOf));
    for await (const piece of runPlan({ file, header, options, plan }, workspace)) {
      bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    outcome =
      error instanceof Error ? `${'code' in error ? error.code : error.stack}: ${error.message}` : String(error);
  } finally {
    const { buffers, allocated } = workspace.peak;
    workspace.finish();
    report = { outcome, planned, arena: isolateArena.committed, buffers, allocated, bytes };
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
async function openFile(size: number, files: Fetcher, workspace: JobWorkspace): Promise<SourceFile> {
  if (size <= HELD_BYTES) return heldFile(await load('picture', size, files, workspace));
  return { size, read: (offset, into) => readRange('picture', offset, into, files) };
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
