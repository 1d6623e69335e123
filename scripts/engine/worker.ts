import type { Cost } from '../../src/image/formats/format.ts';
import type { FormatId } from '../../src/image/formats/format-id.ts';
import { identify } from '../../src/image/identify.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { isolateArena } from '../../src/image/kernels/arena.ts';
import type { ImageOptions } from '../../src/image/options.ts';
import { planImage } from '../../src/image/plan.ts';
import { readHeader } from '../../src/image/read-header.ts';
import { runPlan } from '../../src/image/run-plan.ts';
import { heldFile } from '../../src/image/source-file.ts';
import type { EngineReport } from './report.ts';

/**
 * The engine as a Worker of its own, without storage, accounts or simulators: what measurements of an isolate's memory run.
 * `POST /?format=…&quality=…&maxWidth=…&maxHeight=…[&markBytes=…&markScale=…]` with a picture as the body (and a PNG of `markBytes` bytes
 * behind it) answers with the result; `GET /` with the `EngineReport` of the last job.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method === 'GET') return Response.json(report);
    const workspace = new JobWorkspace(isolateArena);
    report = { outcome: 'running', planned: 0, arena: 0, buffers: 0, allocated: 0, bytes: 0 };
    const pieces = job(request, workspace);
    return new Response(
      new ReadableStream({
        async pull(controller) {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        async cancel() {
          await pieces.return(undefined);
        },
      }),
    );
  },
};

let report: EngineReport | undefined;

async function* job(request: Request, workspace: JobWorkspace): AsyncGenerator<Uint8Array> {
  const bytes = 0;
  let planned = 0;
  let outcome = 'done';
  try {
    const query = new URL(request.url).searchParams;
    const markBytes = Number(query.get('markBytes') ?? 0);
    if (request.body === null) throw new RangeError('a request without a picture');
    const reader = request.body.getReader({ mode: 'byob' });
    const picture = await take(reader, Number(request.headers.get('Content-Length')) - markBytes, workspace);
    const file = heldFile(picture);
    const mark = markBytes > 0 ? await take(reader, markBytes, workspace) : undefined;
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

/** The next so many bytes of a body, straight into one buffer as a lane reads its file. */
async function take(reader: ReadableStreamBYOBReader, length: number, workspace: JobWorkspace): Promise<Uint8Array> {
  const { value } = await reader.readAtLeast(length, new Uint8Array(length));
  if (value?.length !== length) throw new RangeError('the body is shorter than it says');
  workspace.adopt(value);
  return value;
}
