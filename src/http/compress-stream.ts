import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { BatchRecord } from '../batch/batch-journal.ts';
import type { BatchRunner } from '../batch/batch-runner.ts';
import { type Downloads, reportFiles } from '../batch/report-files.ts';
import { callPlatform, type Patience } from '../platform/call-platform.ts';
import { BatchEvents } from './batch-events.ts';
import type { ErrorBody } from './contract.ts';
import type { HttpEnv } from './http-env.ts';
import type { Include } from './include.ts';
import type { Log } from './log-request.ts';
import { deliveredFiles, workOf } from './present-batch.ts';

export interface CompressStreamServices {
  runner(requestId: string): Pick<BatchRunner, 'watch'>;
  /** @param origin scheme and authority to which the request was sent */
  downloads(origin: string): Downloads;
  readonly log: Log;
}

/** A batch that is told as events. */
export interface StreamedBatch {
  readonly id: string;
  readonly include: Include;
  /** Where the account stands, for a batch that had ended before. */
  readonly usage?: unknown;
}

/** A batch's object answers after `limits.watchSeconds` at the latest; where it was reset it is asked again. */
const patience: Patience = { tries: 3, limitMs: 30_000, backOffMs: 500 };

/**
 * Answers with a batch as server-sent events (WHATWG HTML, section 9.2): see `event-contract`. The batch does not need the stream: whoever
 * leaves finds it under its id.
 * @returns the response, and when the stream is over
 * @throws PlatformError when the batch's object does not answer at all
 */
export async function compressStream(
  c: Context<HttpEnv>,
  batch: StreamedBatch,
  services: CompressStreamServices,
): Promise<{ response: Response; over: Promise<void> }> {
  const first = await watch(batch.id, services);
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const response = streamSSE(c, async (stream) => {
    try {
      await tell(stream, first, c, batch, services);
    } catch (error) {
      services.log({ level: 'error', requestId: c.get('requestId'), error: String(error) });
      await stream.writeSSE({ event: 'error', data: JSON.stringify(broken(batch.id)) });
    } finally {
      resolve();
    }
  });
  return { response, over };
}

interface Seen {
  readonly version: number;
  readonly record: BatchRecord;
}

async function tell(
  stream: SSEStreamingApi,
  first: Seen,
  c: Context<HttpEnv>,
  batch: StreamedBatch,
  services: CompressStreamServices,
): Promise<void> {
  const send = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) });
  const events = new BatchEvents(first.record.batch.image, batch.include);
  const { origin } = new URL(c.req.url);
  await send('accepted', { requestId: batch.id, files: first.record.files.length });
  let seen = first;
  for (;;) {
    const files = deliveredFiles(seen.record, await reportFiles(seen.record, services.downloads(origin)));
    for (const { event, data } of events.next(files)) await send(event, data);
    if (hasEnded(seen.record) || stream.aborted) break;
    const next = await watch(batch.id, services, seen.version);
    // Nothing for so long: a comment keeps the connection, and shows who has left.
    if (next.version === seen.version) await stream.write(': still running\n\n');
    seen = next;
  }
  const end = { stream: stream.aborted ? 'left' : 'ended', batch: batch.id, ...workOf(seen.record) };
  services.log({ level: 'info', event: 'stream', requestId: c.get('requestId'), ...end });
  const usage = batch.usage ?? seen.record.usage;
  if (usage !== undefined) await send('usage', usage);
  await send('done', {});
}

async function watch(id: string, services: CompressStreamServices, seen?: number): Promise<Seen> {
  const call = async () => {
    const { version, record } = await services.runner(id).watch(seen);
    // Reserved a moment ago by another request, and not begun yet; or lost.
    if (record === undefined) throw new Error(`nothing is known of batch ${id}`);
    return { version, record: record as BatchRecord };
  };
  return await callPlatform('batch watch', call, patience);
}

function hasEnded({ state }: BatchRecord): boolean {
  return state === 'done' || state === 'void';
}

function broken(id: string): ErrorBody {
  const message = `The events broke off on our side; the work goes on. Ask GET /api/batches/${id} for the results.`;
  return { error: 'service_busy', message };
}
