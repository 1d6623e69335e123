import { expect, test } from 'vitest';
import { RequestError } from '../../src/errors.ts';
import { UploadPace, uploadPace } from '../../src/http/upload-pace.ts';
import { limits, MIB } from '../../src/limits.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A client that sends `bytes` every `everyMs`; what becomes of its upload, and when. */
async function send(chunks: Iterable<{ readonly bytes: number; readonly everyMs: number }>, crowded = false) {
  const clock = new ManualClock();
  const pace = new UploadPace(
    uploadPace(() => crowded),
    clock,
  );
  let sent = 0;
  const sending = (async () => {
    for (const { bytes, everyMs } of chunks) {
      await pace.wait(
        new Promise<{ length: number }>((arrived) => clock.timer(everyMs, () => arrived({ length: bytes }))),
      );
      sent += bytes;
    }
    return { sent, seconds: clock.now() / 1000, error: undefined };
  })().catch((error: RequestError) => ({ sent, seconds: clock.now() / 1000, error }));
  let result: Awaited<typeof sending> | undefined;
  void sending.then((end) => {
    result = end;
  });
  while (result === undefined) await clock.advance(500);
  return { ...result, pending: clock.pending };
}

function* steady(bytes: number, everyMs: number, total: number) {
  for (let sent = 0; sent < total; sent += bytes) yield { bytes, everyMs };
}

test('a phone sends 20 MB at 1 Mbit/s', async () => {
  const { error, seconds } = await send(steady(12_500, 100, 20 * MIB));
  expect([error, Math.round(seconds)]).toEqual([undefined, 168]);
});

test.each([false, true])(
  'it may lose the line for 20 seconds as often as it does (all places taken: %s)',
  async (crowded) => {
    function* losing() {
      for (const [at, chunk] of [...steady(12_500, 100, 20 * MIB)].entries()) {
        yield at % 100 === 99 ? { ...chunk, everyMs: 20_000 } : chunk;
      }
    }
    const { error, seconds } = await send(losing(), crowded);
    expect([error, Math.round(seconds)]).toEqual([undefined, 486]);
  },
);

test('the least rate is not enough while all places are taken: 32 free accounts could hold them for 15 minutes each', async () => {
  const { error, seconds } = await send(steady(limits.uploadBytesPerSecond, 1000, 20 * MIB), true);
  expect([error?.code, error?.message]).toEqual(['request_timeout', expect.stringMatching(/at least 32 KiB a second/)]);
  expect(seconds).toBeLessThan(40);
});

test.each([
  ['nothing for 30 seconds', 1, 30_001, 30],
  ['a byte every 20 seconds', 1, 20_000, 30],
  ['a byte every second', 1, 1000, 30],
  ['1 KiB a second', 1024, 1000, 40],
])('%s is refused in time, with the rate that is needed', async (_, bytes, everyMs, within) => {
  const { error, seconds, pending } = await send(steady(bytes, everyMs, 20 * MIB));
  expect(error).toBeInstanceOf(RequestError);
  expect([error!.code, error!.message]).toEqual(['request_timeout', expect.stringMatching(/at least 4 KiB a second/)]);
  expect(seconds).toBeLessThanOrEqual(within + 1);
  expect(seconds).toBeGreaterThanOrEqual(30 - 1);
  // What is left of the clock is the client's own.
  expect(pending).toBeLessThanOrEqual(1);
});

test('the least rate is enough, but not for longer than a body may take', async () => {
  const { error, seconds, sent } = await send(steady(limits.uploadBytesPerSecond, 1000, 20 * MIB));
  expect([error?.code, error?.message]).toEqual(['request_timeout', expect.stringMatching(/more than 15 minutes/)]);
  expect(seconds).toBe(limits.uploadSeconds);
  expect(sent).toBeGreaterThan(3 * MIB);
});

test('what the service waits for is not the client’s', async () => {
  const clock = new ManualClock();
  const pace = new UploadPace(
    uploadPace(() => false),
    clock,
  );
  for (let turn = 0; turn < 20; turn++) {
    await pace.wait(Promise.resolve({ length: 1 }));
    // R2, or the gate.
    await clock.advance(29_000);
  }
  expect(clock.pending).toBe(0);
});
