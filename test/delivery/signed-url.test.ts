import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signDownload, signingKeyId, verifyDownload } from '../../src/delivery/signed-url.ts';

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
    kid: url.searchParams.get('kid') ?? undefined,
    signature: url.searchParams.get('signature') ?? undefined,
  };
}

test('the address has the form that the interface states', async () => {
  expect(await signDownload({ ...link, baseUrl: 'https://x.example/base/' })).toMatch(
    /^https:\/\/x\.example\/base\/d\/k\.1\/a\.webp\?expires=1800000000&kid=[0-9a-f]{6}&signature=[\w-]{43}$/,
  );
});

/** As links were signed before they named their key. */
function signatureWithoutId(secret: string): string {
  return createHmac('sha256', secret).update(`k.1\n${EXPIRES}`).digest('base64url');
}

test('the signature is HMAC-SHA-256 over key, expiry and the id of the signing key', async () => {
  const kid = createHash('sha256').update('plume signing key\nnew').digest('hex').slice(0, 6);
  const expected = createHmac('sha256', 'new').update(`k.1\n${EXPIRES}\n${kid}`).digest('base64url');
  expect(await parts()).toMatchObject({ kid, signature: expected });
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

  test('an address from before links named their key is good with any of the secrets', async () => {
    const given = { ...(await parts()), kid: undefined, now: BEFORE };
    for (const secret of ['new', 'old']) {
      const signature = signatureWithoutId(secret);
      expect(await verifyDownload({ ...given, signature, secrets: ['new', 'old'] })).toBe('ok');
      expect(await verifyDownload({ ...given, signature, secrets: ['newer'] })).toBe('invalid');
    }
  });

  test('the id can be neither taken away, nor given, nor changed to that of another accepted key', async () => {
    const given = { ...(await parts()), secrets: ['new', 'old'], now: BEFORE };
    expect(await verifyDownload({ ...given, kid: undefined })).toBe('invalid');
    expect(await verifyDownload({ ...given, kid: await signingKeyId('old') })).toBe('invalid');
    expect(await verifyDownload({ ...given, signature: signatureWithoutId('new') })).toBe('invalid');
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
      { kid: '' },
      { kid: `${given.kid!.toUpperCase()}0` },
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
