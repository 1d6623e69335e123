import type { Cost } from '../../src/image/formats/format.ts';
import type { FormatId } from '../../src/image/formats/format-id.ts';
import { identify } from '../../src/image/identify.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { isolateArena } from '../../src/image/kernels/arena.ts';
import type { ImageOptions } from '../../src/image/options.ts';
import { planImage } from '../../src/image/plan.ts';
import { runPlan } from '../../src/image/run-plan.ts';
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
  let bytes = 0;
  let planned = 0;
  let outcome = 'done';
  try {
    const query = new URL(request.url).searchParams;
    const markBytes = Number(query.get('markBytes') ?? 0);
    const reader = new BodyReader(request);
    const file = await reader.take(Number(request.headers.get('Content-Length')) - markBytes, workspace);
    const fileBytes = file.length;
    const mark = markBytes > 0 ? await reader.take(markBytes, workspace) : undefined;
    const header = await identify(file);
    const options = await readOptions(query, mark);
    const plan = planImage(header, fileBytes, options);
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

/** Reads a body in pieces of known lengths without holding more than a chunk beside them. */
class BodyReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor({ body }: Request) {
    if (body === null) throw new RangeError('a request without a picture');
    this.#reader = body.getReader();
  }

  async take(length: number, workspace: JobWorkspace): Promise<Uint8Array> {
    const whole = workspace.buffer(length);
    for (let at = 0; at < length; ) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#reader.read();
        if (done) throw new RangeError('the body is shorter than it says');
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, length - at);
      whole.set(part, at);
      at += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return whole;
  }
}
