import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, Client, fields, file } from '../conformance/support/client.ts';
import { plain, red, scene } from '../conformance/support/pictures.ts';
import { Server } from '../conformance/support/server.ts';

const FREE_KEYS = 9;
const JOBS_OF_A_KEY = 4;
/** More of them, `PLUME_ATTEMPTS=120`, see the time in which the refused ones come back. */
const ATTEMPTS = Number(process.env.PLUME_ATTEMPTS ?? 12);

/**
 * Nine free keys send 36 photographs of 12 megapixels to become AVIF, minutes of work for one engine, and go on sending what is refused
 * as busy. The engine once served whoever came first: everybody else waited for all of it.
 */
describe('beside free keys that ask for minutes of work', () => {
  const server = new Server();
  const client = new Client(server);
  let small: Buffer;
  let photo: Buffer;
  let customer: string;

  beforeAll(async () => {
    small = await plain(64, 48, red).jpeg().toBuffer();
    photo = await scene(4000, 3000).jpeg({ quality: 80 }).toBuffer();
    await server.start({ RATE_LIMIT_PER_MINUTE: '1000000' });
    customer = (await client.account('agency')).key;
    await client.compress(customer, [file(small)]);
  });
  afterAll(() => server.dispose());

  test('a customer’s small requests are answered one after the other, long before that work is done', async () => {
    let over = false;
    let finished = 0;
    const attack = async (key: string) => {
      while (!over) {
        const answer = await client.compress(key, [...fields({ format: 'avif', quality: 60 }), file(photo)]);
        if (answer.data.length > 0) finished++;
        await pauseAsTold(answer, () => over);
      }
    };
    const keys = await Promise.all(Array.from({ length: FREE_KEYS }, async () => (await client.account('free')).key));
    const attacks = keys.flatMap((key) => Array.from({ length: JOBS_OF_A_KEY }, () => attack(key).catch(() => {})));
    await firstJobsRun();
    const waited: number[] = [];
    for (let n = 0; n < ATTEMPTS; n++) {
      const started = performance.now();
      const { status, data } = await client.compress(customer, [file(small)]);
      waited.push(Math.round(performance.now() - started));
      expect([status, data.length]).toEqual([200, 1]);
    }
    const meanwhile = finished;
    over = true;
    console.log(JSON.stringify({ waited, meanwhile }));
    // One engine of an isolate works on one large image at a time, the small ones in its pauses: were the queue first come, first
    // served, each of the customer's requests would wait for all 36.
    expect(meanwhile).toBeLessThan(ATTEMPTS);
    await server.stop();
    await Promise.all(attacks);
  }, 300_000);

  /** The body of one more request is behind those of the attack: once it is refused or served, they are in. */
  async function firstJobsRun(): Promise<void> {
    await client.compress(customer, [file(small)]);
  }
});

/** Those that are refused try again as they are told to, as fast as a program does. */
async function pauseAsTold({ status, headers }: Answer, over: () => boolean): Promise<void> {
  const seconds = status === 200 ? 0 : Number(headers.get('retry-after') ?? 1);
  for (let left = seconds * 1000; left > 0 && !over(); left -= 200) await new Promise((done) => setTimeout(done, 200));
}
