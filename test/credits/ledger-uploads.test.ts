import { expect, test } from 'vitest';
import { plans } from '../../src/credits/plans.ts';
import { limits, MIB } from '../../src/limits.ts';
import { type LedgerBench, onLedgerBench } from '../support/ledger-bench.ts';

const HOUR = 3600_000;
const largest = limits.fileBytes;

async function keep({ ledger }: LedgerBench, id: string, size = largest): Promise<number> {
  expect(await ledger.holdUpload(id, 'free', size)).toEqual({ kind: 'held' });
  const { expiresAt } = await ledger.keepUpload({ id, name: `${id}.png`, size, place: `at ${id}` }, 'free');
  return expiresAt;
}

test('an upload is found for an hour, and known for a day more', () =>
  onLedgerBench(async (bench) => {
    const { ledger, now } = bench;
    expect(await keep(bench, 'a', 5)).toBe(now + HOUR);
    const found = { id: 'a', name: 'a.png', size: 5, place: 'at a' };
    expect(await ledger.findUploads(['a', 'b', 'a'])).toEqual([{ ...found, expired: false }]);
    bench.now = now + HOUR - 1;
    expect(await ledger.findUploads(['a'])).toEqual([{ ...found, expired: false }]);
    bench.now = now + HOUR;
    expect(await ledger.findUploads(['a'])).toEqual([{ ...found, expired: true }]);
    bench.now = now + 25 * HOUR;
    await ledger.alarm();
    expect(await ledger.findUploads(['a'])).toEqual([]);
    expect(bench.rows('uploads')).toBe(0);
  }));

test('every plan keeps at least one batch of the largest files, and what is past its bound is refused with the time', () =>
  onLedgerBench(async (bench) => {
    for (const plan of Object.values(plans)) expect(plan.uploadBytes).toBeGreaterThanOrEqual(limits.files * largest);
    for (let n = 0; n < limits.files; n++) await keep(bench, `a${n}`);
    bench.now += 60_000;
    const full = { kind: 'full', bytes: limits.files * largest, limit: plans.free.uploadBytes };
    expect(await bench.ledger.holdUpload('b', 'free', 1)).toEqual({ ...full, retryAfterSeconds: 3540 });
    expect(await bench.ledger.holdUpload('b', 'starter', largest)).toEqual({ kind: 'held' });
    // The calls may be repeated: they change nothing.
    expect(await bench.ledger.holdUpload('a3', 'free', largest)).toEqual({ kind: 'held' });
    expect(await bench.ledger.findUploads(['a3'])).toMatchObject([{ expired: false }]);
    bench.now += HOUR;
    expect(await bench.ledger.holdUpload('c', 'free', largest)).toEqual({ kind: 'held' });
  }));

test('uploads that arrive count from their beginning, tiny ones with a mebibyte', () =>
  onLedgerBench(async (bench) => {
    const most = plans.free.uploadBytes / MIB;
    for (let n = 0; n < most; n++) expect(await bench.ledger.holdUpload(`a${n}`, 'free', 1)).toEqual({ kind: 'held' });
    expect(await bench.ledger.holdUpload('b', 'free', 1)).toMatchObject({ kind: 'full', bytes: most * MIB });
    expect(await bench.ledger.findUploads(['a0'])).toEqual([]);
    await bench.ledger.dropUpload('a0');
    expect(await bench.ledger.holdUpload('b', 'free', 1)).toEqual({ kind: 'held' });
    // Whoever never came back: room is held for no longer than an upload may take, and a little.
    bench.now += (limits.uploadSeconds + 300) * 1000;
    expect(await bench.ledger.holdUpload('c', 'free', largest)).toEqual({ kind: 'held' });
  }));

test('an upload that was smaller than what room was held for leaves the rest', () =>
  onLedgerBench(async (bench) => {
    for (let n = 0; n < limits.files - 1; n++) await keep(bench, `a${n}`);
    await bench.ledger.holdUpload('b', 'free', largest);
    expect(await bench.ledger.holdUpload('c', 'free', MIB)).toMatchObject({ kind: 'full' });
    await bench.ledger.keepUpload({ id: 'b', name: 'b', size: 2 * MIB, place: 'p' }, 'free');
    expect(await bench.ledger.holdUpload('c', 'free', largest - 2 * MIB)).toEqual({ kind: 'held' });
  }));

test('a batch that names what is unknown or expired is refused and holds nothing', () =>
  onLedgerBench(async (bench) => {
    await keep(bench, 'a');
    expect(await bench.reserve('r1', { uploads: ['a', 'a'] })).toMatchObject({ kind: 'reserved' });
    const refused = { kind: 'refused', code: 'upload_not_found', uploads: ['x'] };
    expect(await bench.reserve('r2', { uploads: ['a', 'x'] })).toMatchObject(refused);
    bench.now += HOUR;
    expect(await bench.reserve('r3', { uploads: ['a'] })).toMatchObject({ ...refused, uploads: ['a'] });
    expect(bench.rows('reservations')).toBe(1);
    expect(bench.rows('batches')).toBe(1);
  }));

test('a repetition under an Idempotency-Key gets its answer although its uploads have expired meanwhile', () =>
  onLedgerBench(async (bench) => {
    await keep(bench, 'a');
    const ask = { uploads: ['a'], idempotency: { key: 'k', fingerprint: 'f' } };
    await bench.reserve('r1', ask);
    await bench.ledger.settle('r1', { compressions: 1, aiCredits: 0, complete: true });
    bench.now += 2 * HOUR;
    expect(await bench.reserve('r2', ask)).toMatchObject({ kind: 'replay', requestId: 'r1' });
  }));
