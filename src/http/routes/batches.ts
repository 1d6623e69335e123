import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { BatchRecord } from '../../batch/batch-journal.ts';
import type { BatchRunner } from '../../batch/batch-runner.ts';
import { type Downloads, reportFiles } from '../../batch/report-files.ts';
import type { AccountLedger } from '../../credits/ledger.ts';
import { RequestError } from '../../errors.ts';
import { callPlatform } from '../../platform/call-platform.ts';
import type { BatchBody } from '../contract.ts';
import type { HttpEnv } from '../http-env.ts';
import { readInclude } from '../include.ts';
import { decodeCursor, encodeCursor } from '../list-cursor.ts';
import { pageLimit } from '../page-limit.ts';
import { batchBody, wireTime } from '../present-batch.ts';

export interface BatchesServices {
  ledger(accountId: string): Pick<AccountLedger, 'batches'>;
  runner(requestId: string): Pick<BatchRunner, 'record' | 'watch'>;
  /** @param origin scheme and authority to which the request was sent */
  downloads(origin: string): Downloads;
}

/** A batch is named by the request that made it. */
const BATCH_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** GET /api/batches and /api/batches/{id}: what a client finds that lost its answer, or never waited for it. */
export function batchesRoutes(services: BatchesServices): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/', (c) => list(c, services))
    .get('/:id', (c) => {
      const id = c.req.param('id');
      if (!BATCH_ID.test(id)) throw unknown();
      const wantsEvents = c.req.header('Accept')?.includes('text/event-stream') ?? false;
      return wantsEvents ? follow(c, id, services) : show(c, id, services);
    });
}

async function list(c: Context<HttpEnv>, { ledger }: BatchesServices): Promise<Response> {
  const limit = pageLimit(c.req.query('limit'));
  const after = decodeCursor(c.req.query('cursor'));
  const { accountId } = c.get('caller');
  const call = async () => await ledger(accountId).batches(limit + 1, after);
  const found = await callPlatform('ledger batches', call);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return c.json({
    batches: page.map(({ createdAt, ...batch }) => ({ ...batch, createdAt: wireTime(createdAt) })),
    ...(found.length > limit && last !== undefined && { nextCursor: encodeCursor(last) }),
  });
}

async function show(c: Context<HttpEnv>, id: string, services: BatchesServices): Promise<Response> {
  const call = async () => (await services.runner(id).record()) as BatchRecord | undefined;
  const record = owned(await callPlatform('batch record', call), c);
  return c.json(await bodyOf(record, c, services));
}

/** An event `batch` at every change, each with the whole body, the last one when it is done; a comment while nothing changes. */
async function follow(c: Context<HttpEnv>, id: string, services: BatchesServices): Promise<Response> {
  const watch = async (seen?: number) => {
    const call = async () => await services.runner(id).watch(seen);
    const { version, record } = await callPlatform('batch watch', call, { tries: 3, limitMs: 30_000, backOffMs: 500 });
    return { version, body: await bodyOf(owned(record as BatchRecord | undefined, c), c, services) };
  };
  c.get('waits')();
  let state = await watch();
  return streamSSE(c, async (stream) => {
    await stream.writeSSE({ event: 'batch', data: JSON.stringify(state.body) });
    while (state.body.state === 'running' && !stream.aborted) {
      const { version } = state;
      state = await watch(version);
      if (state.version === version && state.body.state === 'running') await stream.write(': still running\n\n');
      else await stream.writeSSE({ event: 'batch', data: JSON.stringify(state.body) });
    }
  });
}

async function bodyOf(record: BatchRecord, c: Context<HttpEnv>, { downloads }: BatchesServices): Promise<BatchBody> {
  const files = await reportFiles(record, downloads(new URL(c.req.url).origin));
  return batchBody(record, files, readInclude(c.req.queries('include')));
}

function owned(record: BatchRecord | undefined, c: Context<HttpEnv>): BatchRecord {
  if (record !== undefined && record.batch.accountId === c.get('caller').accountId) return record;
  throw unknown();
}

function unknown(): RequestError {
  return new RequestError('not_found', 'There is no batch with this id, or it is older than 24 hours.');
}
