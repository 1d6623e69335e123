import { expect, test } from 'vitest';
import type { Batch } from '../../src/batch/batch.ts';
import { fingerprint } from '../../src/batch/fingerprint.ts';

const staged = (sha256: string) => ({ key: `staging/${crypto.randomUUID()}`, size: 1, sha256 });
const file = (name: string, sha256: string, index = 0) => ({ index, name, staged: staged(sha256) });

function batch(changes: Partial<Batch> = {}): Batch {
  return {
    requestId: crypto.randomUUID(),
    accountId: 'account',
    plan: 'starter',
    sessionId: crypto.randomUUID(),
    colo: 'VIE',
    files: [file('a.png', '01'), file('b.png', '02', 1)],
    image: { format: 'webp', quality: 82 },
    asked: [{ format: 'webp', quality: 82 }, false],
    ...changes,
  };
}

test('a repetition has the same fingerprint, although its ids and places are new', async () => {
  const [first, second] = [await fingerprint(batch()), await fingerprint(batch())];
  expect(first).toBe(second);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
});

test('whatever is asked differently has another fingerprint', async () => {
  const mark = (name: string, sha256: string) => ({ watermark: { name, staged: staged(sha256) } });
  const variants: Partial<Batch>[] = [
    {},
    { asked: [{ format: 'webp', quality: 81 }, false] },
    { asked: [{ format: 'webp', quality: 82 }, true] },
    { files: [file('a.png', '01')] },
    { files: [file('b.png', '02'), file('a.png', '01', 1)] },
    { files: [file('a.png', '02'), file('b.png', '01', 1)] },
    { files: [file('c.png', '01'), file('b.png', '02', 1)] },
    { files: [file('a.png', '01'), file('b.png', '03', 1)] },
    { files: [file('a.png01', ''), file('b.png', '02', 1)] },
    mark('a.png', '01'),
    mark('b.png', '01'),
    mark('a.png', '02'),
    { files: [file('a.png', '01'), file('b.png', '02', 1), file('a.png', '01', 2)] },
  ];
  const fingerprints = await Promise.all(variants.map((changes) => fingerprint(batch(changes))));
  expect(new Set(fingerprints).size).toBe(variants.length);
});
