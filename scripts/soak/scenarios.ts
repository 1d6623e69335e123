import { fields, watermark } from '../../test/conformance/support/client.ts';
import { pick, type Random } from '../fuzz/random.ts';
import { compressRequest, requestBody, requestHeaders, type SoakFile } from './compress-request.ts';
import type { SoakClient } from './soak-client.ts';
import type { SoakFiles } from './soak-files.ts';

/** What a client does, and how often beside the others. */
interface Scenario {
  readonly weight: number;
  run(client: SoakClient, files: SoakFiles): Promise<unknown>;
}

/** An account that has used its month up is refused from then on, and one without watermarks. */
const USED_UP = [403];
const FORMATS = ['webp', 'jpg', 'png'] as const;

export const scenarios: Readonly<Record<string, Scenario>> = {
  'small files': {
    weight: 30,
    run: (client, { small }) => {
      const format = pick(FORMATS, client.random);
      const request = compressRequest(some(small, 1 + client.random(3), client.random), { format, maxWidth: '300' });
      return client.compress('small files', request, USED_UP);
    },
  },
  photo: {
    weight: 4,
    run: (client, { photos }) =>
      client.compress('photo', compressRequest(some(photos, 1, client.random), { maxWidth: '1600' }), USED_UP),
  },
  avif: {
    weight: 4,
    run: (client, { small }) =>
      client.compress(
        'avif',
        compressRequest(some(small, 1, client.random), { format: 'avif', maxWidth: '240' }),
        USED_UP,
      ),
  },
  batch: {
    weight: 3,
    run: (client, { small, broken }) => {
      const files = [...some(small, 8, client.random), ...some(broken, 2, client.random)];
      return client.compress('batch', compressRequest(files, { maxWidth: '200' }), USED_UP);
    },
  },
  'five files': {
    weight: 0,
    run: async (client, { small }) => {
      const request = compressRequest(some(small, 5, client.random), { maxWidth: '160' });
      const reply = await client.compress('five files', request, USED_UP);
      const failed = reply.kind === 'answer' && reply.status === 200 ? reply.headers['x-failed-files'] : undefined;
      if (failed !== undefined) client.verdict.violation('not all files done', decodeURIComponent(String(failed)));
      return reply;
    },
  },
  // Its result is found under its Idempotency-Key later; a service that knows no Prefer answers at once (RFC 7240).
  asynchronous: {
    weight: 3,
    run: (client, { small }) => {
      const request = compressRequest(some(small, 3, client.random), { maxWidth: '150' });
      return client.compress('asynchronous', request, USED_UP, { prefer: 'respond-async' });
    },
  },
  'broken files': {
    weight: 10,
    run: (client, { broken }) =>
      client.compress('broken files', compressRequest(some(broken, 1 + client.random(3), client.random)), USED_UP),
  },
  uploads: {
    weight: 2,
    run: async (client, { photos, small }) => {
      const files = [...some(photos, 1, client.random), ...some(small, 2, client.random)];
      const [first, second, third] = await Promise.all(files.map((file) => client.upload(file)));
      const request = compressRequest([second!, files[2]!, first!, third!], { maxWidth: '300' });
      return await client.compress('uploads', request, USED_UP);
    },
  },
  corpus: {
    weight: 8,
    run: (client, { corpus, small }) => {
      const files = some(corpus.length > 0 ? corpus : small, 1, client.random);
      return client.compress('corpus', compressRequest(files, { maxWidth: '400' }), USED_UP);
    },
  },
  cancelled: {
    weight: 8,
    run: (client, { photos, small }) => {
      const request = compressRequest([...some(photos, 1, client.random), ...some(small, 2, client.random)]);
      return client.compress('cancelled', request, USED_UP, { leaveAfterMs: 50 + client.random(1500) });
    },
  },
  'slow client': {
    weight: 3,
    run: (client, { photos }) => {
      const request = compressRequest([photos[2]!], { maxWidth: '800' });
      return client.compress('slow client', request, USED_UP, { bytesPerSecond: 50_000 });
    },
  },
  'slow client that leaves': {
    weight: 2,
    run: (client, { photos }) =>
      client.compress('slow client that leaves', compressRequest([photos[0]!]), [...USED_UP, 408], {
        bytesPerSecond: 20,
        leaveAfterMs: 15_000,
      }),
  },
  'unknown fields': {
    weight: 4,
    run: (client, { small }) => {
      const unknown = fields(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`, 'y'.repeat(500)])));
      const request = compressRequest(some(small, 1, client.random), { maxWidth: '100' }, unknown);
      return client.compress('unknown fields', request, USED_UP);
    },
  },
  'wrong field': {
    weight: 3,
    run: (client, { small }) =>
      client.compress('wrong field', compressRequest(some(small, 1, client.random), { quality: '500' }), [400]),
  },
  'wrong key': {
    weight: 4,
    run: async (client, { small }) => {
      const request = compressRequest(some(small, 1, client.random));
      const key = `pk_live_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}`;
      const reply = await client.call('wrong key', '/api/compress', requestHeaders(request, key), requestBody(request));
      if (reply.kind === 'answer' && ![401, 429, 503].includes(reply.status)) {
        client.verdict.violation('wrong key let in', String(reply.status));
      }
    },
  },
  repetition: {
    weight: 5,
    run: async (client, { small }) => {
      const request = compressRequest(some(small, 2, client.random), { maxWidth: '120' });
      await client.compress('first of two', request, USED_UP);
      return await client.compress('repetition', request, [...USED_UP, 409]);
    },
  },
  'two at once': {
    weight: 3,
    run: (client, { small }) => {
      const request = compressRequest(some(small, 1, client.random), { maxWidth: '130' });
      const send = () => client.compress('two at once', request, [...USED_UP, 409]);
      return Promise.all([send(), send()]);
    },
  },
  'AI texts': {
    weight: 6,
    run: (client, { small }) => {
      const options = { autoAltText: 'true', autoRenameSEO: 'true', language: 'Deutsch', maxWidth: '300' };
      return client.compress('AI texts', compressRequest(some(small, 2, client.random), options), USED_UP);
    },
  },
  watermark: {
    weight: 5,
    run: (client, { small, watermark: mark }) => {
      const request = compressRequest(some(small, 1, client.random), { maxWidth: '300' }, [watermark(mark)]);
      return client.compress('watermark', request, USED_UP);
    },
  },
  usage: {
    weight: 5,
    run: (client) => client.call('usage', '/api/usage', { authorization: `Bearer ${client.book.account.key}` }),
  },
};

/** Files with names of their own. */
function some(files: readonly SoakFile[], count: number, random: Random): SoakFile[] {
  return Array.from({ length: count }, (_, n) => {
    const file = pick(files, random);
    return { ...file, name: `${n}-${file.name}` };
  });
}

const names = Object.keys(scenarios);
const weights = names.reduce((sum, name) => sum + scenarios[name]!.weight, 0);

/** The next thing that a client does: by chance, or always the same. @throws RangeError for a name that is none */
export function nextScenario(random: Random, only?: string): Scenario {
  if (only !== undefined) {
    const scenario = scenarios[only];
    if (scenario === undefined) throw new RangeError(`There is no scenario "${only}"; there are ${names.join(', ')}.`);
    return scenario;
  }
  let drawn = random(weights);
  for (const name of names) {
    drawn -= scenarios[name]!.weight;
    if (drawn < 0) return scenarios[name]!;
  }
  throw new RangeError('the weights do not add up');
}
