import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, fields, file, formBody, type Part } from '../support/client.ts';
import { plain, red } from '../support/pictures.ts';

const routes: [path: string, allowed: string][] = [
  ['/api/compress', 'POST'],
  ['/api/usage', 'GET'],
  ['/health', 'GET'],
  ['/openapi.json', 'GET'],
];

export function http(client: () => Client): void {
  describe('HTTP', () => {
    let key: string;
    let small: Buffer;
    const post = (body: Uint8Array | string, type: string | undefined) =>
      client().call('/api/compress', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...(type === undefined ? {} : { 'content-type': type }) },
        body: typeof body === 'string' ? body : new Uint8Array(body),
      });

    beforeAll(async () => {
      key = (await client().account('agency', 'api')).key;
      small = await plain(8, 8, red).png().toBuffer();
    });

    test('GET /health is 200 with the version', async () => {
      const answer = await client().call('/health');
      expect(answer.status).toBe(200);
      expect(answer.json.version).toMatch(/^\d+\.\d+\.\d+/);
    });

    test('GET /openapi.json describes every documented call', async () => {
      const { json, status } = await client().call('/openapi.json');
      expect(status).toBe(200);
      expect(json.openapi).toMatch(/^3\.1\./);
      const documented = [
        '/api/compress',
        '/api/usage',
        '/health',
        '/admin/accounts',
        '/admin/accounts/{id}',
        '/admin/accounts/{id}/keys',
      ].concat(['/admin/keys/{id}', '/admin/accounts/{id}/top-ups']);
      for (const path of documented) expect(Object.keys(json.paths)).toContain(path);
      const form = JSON.stringify(json.paths['/api/compress'].post);
      expect(form).toContain('multipart/form-data');
    });

    test.each(routes)('HEAD and OPTIONS of %s', async (path, allowed) => {
      const options = await client().call(path, { method: 'OPTIONS' });
      expect(options.status).toBe(204);
      expect(options.headers.get('allow')).toContain(allowed);
      if (allowed !== 'GET') return;
      const authorization = { authorization: `Bearer ${key}` };
      const head = await client().call(path, { method: 'HEAD', headers: authorization });
      expect([head.status, head.text]).toEqual([200, '']);
    });

    test.each(routes)('another method on %s is 405 with Allow', async (path, allowed) => {
      const answer = await client().call(path, { method: 'PUT', headers: { authorization: `Bearer ${key}` } });
      expect(answer).toMatchObject({ status: 405, json: { error: 'method_not_allowed' } });
      expect(answer.headers.get('allow')).toContain(allowed);
    });

    test('GET /api/compress is 405', async () => {
      const answer = await client().call('/api/compress', { headers: { authorization: `Bearer ${key}` } });
      expect(answer.status).toBe(405);
    });

    test.each(['/', '/nothing', '/api', '/api/compress/more', '/d', '/d/x', '/%2e%2e/etc/passwd'])(
      '%s is 404 as JSON',
      async (path) => {
        const answer = await client().call(path, { headers: { authorization: `Bearer ${key}` } });
        expect(answer).toMatchObject({ status: 404, json: { error: 'not_found', message: expect.any(String) } });
      },
    );

    test('X-Request-Id is on every answer and never the same', async () => {
      const paths = [
        '/health',
        '/nothing',
        '/api/usage',
        '/admin/accounts',
        '/openapi.json',
        '/d/x/y?expires=1&signature=x',
      ];
      const ids = await Promise.all(paths.map(async (path) => (await client().call(path)).headers.get('x-request-id')));
      for (const id of ids) expect(id).toMatch(/^[\w-]{8,}$/);
      expect(new Set(ids).size).toBe(ids.length);
      const answer = await client().compress(key, [file(small)]);
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
    });

    test('every error body has exactly error and message', async () => {
      const answers = [
        await client().call('/nothing'),
        await client().call('/api/usage'),
        await client().compress(key, []),
        await client().call('/api/usage', { method: 'DELETE', headers: { authorization: `Bearer ${key}` } }),
      ];
      for (const { json } of answers) expect(json).toEqual({ error: expect.any(String), message: expect.any(String) });
    });

    test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', undefined])(
      'content type %s: 415',
      async (type) => {
        const answer = await post(Buffer.from('{"file":"x"}'), type);
        expect(answer).toMatchObject({ status: 415, json: { error: 'unsupported_media_type' } });
        expect(answer.json.message).toContain('multipart/form-data');
      },
    );

    test('multipart without a boundary: 400', async () => {
      expect(await post(formBody([file(small)]), 'multipart/form-data')).toMatchObject({
        status: 400,
        json: { error: 'invalid_request' },
      });
    });

    test('another boundary than the header names: 400', async () => {
      const answer = await post(formBody([file(small)]), 'multipart/form-data; boundary=other');
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    });

    test('a body that ends in the middle of a file: 400, nothing charged', async () => {
      const account = await client().account('agency');
      const whole = formBody([file(small), file(small)]);
      const answer = await client().call('/api/compress', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${account.key}`,
          'content-type': 'multipart/form-data; boundary=plume-conformance',
        },
        body: whole.slice(0, whole.length - 60),
      });
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect((await client().usage(account.key)).json.compressions.used).toBe(0);
    });

    test.each([
      ['part headers of 100 kB', [{ name: 'x'.repeat(100_000), value: 'y' }]],
      ['2,000 parts', Array.from({ length: 2000 }, (_, n) => ({ name: `f${n}`, value: 'v' }))],
      ['a text field of 1 MB', [{ name: 'aiContext', value: 'x'.repeat(1_000_000) }]],
    ] as [string, Part[]][])('%s: a 4xx answer, and the service lives on', async (_, parts) => {
      const answer = await client().compress(key, [...parts, file(small)]);
      expect([400, 413]).toContain(answer.status);
      expect((await client().compress(key, [file(small)])).status).toBe(200);
    });

    test('a file name in filename* (RFC 5987) is read', async () => {
      const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="fallback.png"; filename*=UTF-8''%E2%82%AC%20rates.png\r\n\r\n`;
      const body = Buffer.concat([Buffer.from(head), small, Buffer.from('\r\n--b--\r\n')]);
      const answer = await post(body, 'multipart/form-data; boundary=b');
      expect(answer.status).toBe(200);
      expect(answer.json.data[0].originalName).toMatch(/^(€ rates|fallback)\.png$/);
    });

    test('a file name with an escaped quote, and one of 2,000 characters', async () => {
      const answer = await client().compress(key, [
        file(small, 'say %22hi%22.png'),
        file(small, `${'n'.repeat(2000)}.png`),
      ]);
      expect(answer.data).toHaveLength(2);
      expect(answer.data[1]!.newName).toMatch(/^n+\.webp$/);
      expect((await client().download(answer.data[1]!.downloadUrl)).length).toBe(answer.data[1]!.optimizedSize);
    });

    test('boundaries inside a file, preamble and epilogue do no harm', async () => {
      const tricky = Buffer.concat([small, Buffer.from('\r\n--plume-conformanc\r\n--plume\r\n----plume-conformance')]);
      const body = Buffer.concat([Buffer.from('preamble\r\n'), formBody([file(tricky)]), Buffer.from('epilogue')]);
      const answer = await post(body, 'multipart/form-data; boundary="plume-conformance"');
      expect(answer.json?.data?.[0]?.originalSize).toBe(tricky.length);
    });

    test('a body that arrives byte by byte is understood', async () => {
      const body = formBody([...fields({ format: 'png' }), file(small, 'slow.png')]);
      const text = await new Promise<string>((resolve, reject) => {
        const upload = request(`${client().server.url}/api/compress`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'multipart/form-data; boundary=plume-conformance',
          },
        });
        upload.on('error', reject).on('response', (response) => {
          let received = '';
          response
            .setEncoding('utf8')
            .on('data', (chunk) => (received += chunk))
            .on('end', () => resolve(received));
        });
        for (const byte of body) upload.write(Uint8Array.of(byte));
        upload.end();
      });
      expect(JSON.parse(text).data).toMatchObject([{ originalName: 'slow.png', newName: 'slow.png' }]);
    });

    test('a client that goes away in the middle of its upload costs nothing', async () => {
      const account = await client().account('agency');
      const upload = request(`${client().server.url}/api/compress`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${account.key}`,
          'content-type': 'multipart/form-data; boundary=plume-conformance',
          'content-length': 9_000_000,
        },
      });
      await new Promise<void>((resolve) => {
        upload.on('error', () => resolve()).on('close', () => resolve());
        upload.write(formBody([file(small), file(small)]).slice(0, -30), () => upload.destroy());
      });
      const { json } = await client().usage(account.key);
      expect(json.compressions).toEqual({ used: 0, limit: 50_000, remaining: 50_000 });
    });
  });

  describe('CORS', () => {
    const origin = 'https://app.example';
    test.each(routes)('a preflight of %s is answered', async (path, method) => {
      const answer = await client().call(path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,idempotency-key',
        },
      });
      expect(answer.status).toBe(204);
      expect(['*', origin]).toContain(answer.headers.get('access-control-allow-origin'));
      expect(answer.headers.get('access-control-allow-methods')).toContain(method);
      const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase();
      for (const header of ['authorization', 'idempotency-key']) expect(allowed).toContain(header);
    });

    test('scripts may read the documented headers, on errors as well', async () => {
      for (const path of ['/health', '/api/usage', '/nothing']) {
        const { headers } = await client().call(path, { headers: { origin } });
        expect(['*', origin]).toContain(headers.get('access-control-allow-origin'));
        const exposed = headers.get('access-control-expose-headers')?.toLowerCase();
        for (const name of [
          'x-failed-files',
          'x-request-id',
          'x-compressions-used',
          'x-compressions-limit',
          'x-ai-credits-remaining',
          'retry-after',
        ]) {
          expect(exposed).toContain(name);
        }
      }
    });
  });
}
