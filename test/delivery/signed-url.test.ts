import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signDownload, verifyDownload } from '../../src/delivery/signed-url.ts';

const EXPIRES = 1_800_000_000;
const BEFORE = EXPIRES * 1000 - 1;
const link = { baseUrl: 'https://x.example', key: 'k.1', fileName: 'a.webp', expires: EXPIRES, secret: 'new' };

async function parts(overrides: Partial<typeof link> = {}) {
  const url = new URL(await signDownload({ ...link, ...overrides }));
  const [, , key = '', fileName = ''] = url.pathname.split('/').map(decodeURIComponent);
  return {
    key,
    fileName,
    expires: url.searchParams.get('expires') ?? undefined,
    signature: url.searchParams.get('signature') ?? undefined,
  };
}

test('the address has the form that the interface states', async () => {
  expect(await signDownload({ ...link, baseUrl: 'https://x.example/base/' })).toMatch(
    /^https:\/\/x\.example\/base\/d\/k\.1\/a\.webp\?expires=1800000000&signature=[\w-]{43}$/,
  );
});

test('the signature is HMAC-SHA-256 over key and expiry', async () => {
  const { createHmac } = await import('node:crypto');
  const expected = createHmac('sha256', 'new').update(`k.1\n${EXPIRES}`).digest('base64url');
  expect((await parts()).signature).toBe(expected);
});

describe('checking', () => {
  test('a genuine address is good until the second it expires', async () => {
    const given = { ...(await parts()), secrets: ['new'] };
    expect(await verifyDownload({ ...given, now: BEFORE })).toBe('ok');
    expect(await verifyDownload({ ...given, now: BEFORE + 1 })).toBe('expired');
  });

  test('an address signed with the previous secret is good, with a forgotten one not', async () => {
    const given = await parts({ secret: 'old' });
    expect(await verifyDownload({ ...given, secrets: ['new', 'old'], now: BEFORE })).toBe('ok');
    expect(await verifyDownload({ ...given, secrets: ['new', 'newer'], now: BEFORE })).toBe('invalid');
  });

  test('another key, expiry or signature is invalid, not expired, even when it is late', async () => {
    const given = { ...(await parts()), secrets: ['new'], now: BEFORE + 1 };
    const last = given.signature!.slice(0, -1);
    const forged = [
      { key: 'k.2' },
      { expires: String(EXPIRES + 1) },
      { expires: `0${EXPIRES}` },
      { expires: undefined },
      { expires: '' },
      { expires: '1e12' },
      { signature: undefined },
      { signature: '' },
      { signature: `${last}${given.signature!.endsWith('A') ? 'E' : 'A'}` },
      { signature: `${given.signature}=` },
      { signature: 'a'.repeat(43) },
      { secrets: [] },
    ];
    for (const change of forged) {
      expect(await verifyDownload({ ...given, ...change }), JSON.stringify(change)).toBe('invalid');
    }
  });

  test('any key and name survive the address', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[\w.-]{3,80}$/),
        fc.string({ unit: 'binary', minLength: 3 }),
        async (key, fileName) => {
          const given = await parts({ key, fileName });
          expect(given.key).toBe(key);
          expect(given.fileName).toBe(fileName.toWellFormed());
          expect(await verifyDownload({ ...given, secrets: ['new'], now: BEFORE })).toBe('ok');
        },
      ),
      { numRuns: 50 },
    );
  });
});
