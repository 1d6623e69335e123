import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { BatchRecord } from '../../src/batch/batch-journal.ts';
import type { FileRecord } from '../../src/batch/outcome.ts';
import { type CompressStreamServices, compressStream } from '../../src/http/compress-stream.ts';
import type { HttpEnv } from '../../src/http/http-env.ts';
import { eventsOf } from '../support/api-client.ts';

const result = { key: '1.a.b', expires: 4_000_000_000 };
const picture = { originalWidth: 2, originalHeight: 2, width: 2, height: 2, unchanged: false };
const usage = { plan: 'free' } as unknown as NonNullable<BatchRecord['usage']>;

function file(index: number, state: FileRecord['state'], size = 5): FileRecord {
  const done = { outcome: { kind: 'done', size, picture } } as const;
  return { index, name: 'a.png', size: 10, state, result, ...(state === 'done' && done) };
}

function record(state: BatchRecord['state'], ...files: FileRecord[]): BatchRecord {
  const batch = { requestId: 'r', image: { format: 'webp', quality: 82 } } as unknown as BatchRecord['batch'];
  const ended = state === 'done' ? { usage } : {};
  return { batch, state, createdAt: 0, starts: 1, files, inherited: [], ...ended };
}

type Seen = { version: number; record: BatchRecord | undefined };

/** Streams a batch whose object answers as scripted, one entry a question; where it ends, the object is away. */
async function stream(...script: readonly (Seen | 'away')[]) {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const asked: (number | undefined)[] = [];
  const services: CompressStreamServices = {
    runner: () => ({
      watch: async (seen?: number) => {
        asked.push(seen);
        const answer = script[Math.min(asked.length, script.length) - 1];
        if (answer === undefined || answer === 'away') throw Object.assign(new Error('away'), { overloaded: true });
        return answer;
      },
    }),
    downloads: () => ({ baseUrl: 'https://x', secret: 's', ttlSeconds: 60, now: 0 }),
    log: (line) => void lines.push(line),
  };
  const app = new Hono<HttpEnv>().get('/', async (c) => {
    c.set('requestId', 'request');
    const include = { errors: false, details: false };
    const { response, over } = await compressStream(c, { id: 'r', include }, services);
    c.executionCtx.waitUntil(over);
    return response;
  });
  const pending: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => void pending.push(work), passThroughOnException() {} };
  const response = await app.request('/', {}, {}, context as unknown as ExecutionContext);
  const text = await response.text();
  await Promise.all(pending);
  return { text, events: eventsOf(text), asked, lines };
}

describe('a batch as events', () => {
  test('tells only what has changed, in the order of the files', async () => {
    const { events, asked } = await stream(
      { version: 1, record: record('running', file(0, 'running'), file(1, 'queued')) },
      { version: 2, record: record('running', file(0, 'running'), file(1, 'running')) },
      { version: 4, record: record('settling', file(0, 'done'), file(1, 'done')) },
      { version: 5, record: record('done', file(0, 'done'), file(1, 'done')) },
    );
    expect(asked).toEqual([undefined, 1, 2, 4]);
    expect(events.map(({ event, data }) => [event, data.index, data.state ?? data.item?.newName])).toEqual([
      ['accepted', undefined, undefined],
      ['file', 0, 'running'],
      ['file', 1, 'queued'],
      ['file', 1, 'running'],
      ['result', 0, 'a.webp'],
      ['result', 1, 'a-2.webp'],
      ['usage', undefined, undefined],
      ['done', undefined, undefined],
    ]);
  });

  test('tells a result again whose name was taken by an earlier file that came later', async () => {
    const { events } = await stream(
      { version: 1, record: record('running', file(0, 'running'), file(1, 'done')) },
      { version: 2, record: record('done', file(0, 'done'), file(1, 'done')) },
    );
    const names = events.filter(({ event }) => event === 'result').map(({ data }) => [data.index, data.item.newName]);
    expect(names).toEqual([
      [1, 'a.webp'],
      [0, 'a.webp'],
      [1, 'a-2.webp'],
    ]);
  });

  test('beats while nothing changes', async () => {
    const same = { version: 1, record: record('running', file(0, 'running')) };
    const { text } = await stream(same, same, same, { version: 2, record: record('done', file(0, 'done')) });
    expect(text.match(/^: still running$/gm)).toHaveLength(2);
  });

  test('delivers nothing of a batch that was given up', async () => {
    const { events } = await stream(
      { version: 1, record: record('running', file(0, 'done'), file(1, 'running')) },
      { version: 2, record: record('void', file(0, 'done'), file(1, 'done')) },
    );
    const last = events.filter(({ event }) => event === 'failure').map(({ data }) => [data.index, data.error]);
    expect(last).toEqual([
      [0, 'processing_failed'],
      [1, 'processing_failed'],
    ]);
    expect(events.some(({ event }) => event === 'usage')).toBe(false);
  });

  test('says where the results are when the object of the batch is away, and never that it is done', async () => {
    const { events, lines } = await stream({ version: 1, record: record('running', file(0, 'running')) }, 'away');
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { error: 'service_busy' } });
    expect(events.at(-1)!.data.message).toContain('/api/batches/r');
    expect(events.some(({ event }) => event === 'done')).toBe(false);
    expect(lines.some(({ level }) => level === 'error')).toBe(true);
  });

  test('waits a moment for a batch that another request has reserved and not begun yet', async () => {
    const { events } = await stream(
      { version: 0, record: undefined },
      { version: 1, record: record('done', file(0, 'done')) },
    );
    expect(events.map(({ event }) => event)).toEqual(['accepted', 'result', 'usage', 'done']);
  });

  test('leaves a line in the log with counts, and no names', async () => {
    const { lines } = await stream({ version: 1, record: record('done', file(0, 'done')) });
    expect(lines).toMatchObject([{ requestId: 'request', batch: 'r', stream: 'ended', files: 1, failed: 0 }]);
    expect(JSON.stringify(lines)).not.toContain('a.png');
  });
});
