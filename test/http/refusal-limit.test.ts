import { expect, test } from 'vitest';
import { RefusalLimit } from '../../src/http/refusal-limit.ts';
import { ManualTime } from '../support/manual-time.ts';

/** An isolate's limit, with the platform's counter that the test gives it. */
function isolate(counter?: RateLimit['limit']) {
  const time = new ManualTime(0);
  const lines: unknown[] = [];
  const log = (line: unknown) => void lines.push(line);
  const limit = new RefusalLimit({ counter: counter && { limit: counter }, now: time.clock, log, shell: time });
  /** How many of so many refusals pass. */
  const passing = (address: string, times: number) => {
    let passed = 0;
    for (let index = 0; index < times; index++) {
      try {
        limit.take(address);
        passed++;
      } catch (error) {
        expect(error).toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 1 } });
      }
    }
    return passed;
  };
  return { time, lines, limit, passing };
}

test('an address may be refused sixty times a minute, and once a second from then on', () => {
  const { time, passing } = isolate();
  expect(passing('a', 1000)).toBe(60);
  expect(passing('b', 1)).toBe(1);
  time.now = 3000;
  expect(passing('a', 1000)).toBe(3);
  time.now = 63_000;
  expect(passing('a', 1000)).toBe(60);
});

test('what was no refusal after all is given back', () => {
  const { limit, passing } = isolate();
  for (let index = 0; index < 1000; index++) {
    limit.take('a');
    limit.giveBack('a');
  }
  expect(passing('a', 1000)).toBe(60);
});

test('look-ups in vain are bounded over all addresses, and those that find a key are free', () => {
  const { time, limit } = isolate();
  for (let index = 0; index < 5000; index++) {
    limit.takeLookUp(`right ${index}`);
    limit.giveBackLookUp(`right ${index}`);
  }
  let looked = 0;
  const guess = (network: number) => {
    limit.takeLookUp(`2001:db8:7:${network}::/64`);
    looked++;
  };
  const busy = expect.objectContaining({ code: 'service_busy', details: { retryAfterSeconds: 1 } });
  for (let network = 0; network < 1200; network++) guess(network);
  for (let network = 1200; network < 3000; network++) expect(() => guess(network)).toThrow(busy);
  expect(looked).toBe(1200);
  time.now = 1000;
  for (let network = 0; network < 20; network++) guess(network);
  expect(() => guess(20)).toThrow(busy);
});

test('memory is bounded: of many addresses those used last are remembered', () => {
  const { passing } = isolate();
  passing('old', 60);
  passing('kept', 60);
  for (let index = 0; index < 4095; index++) passing(`other ${index}`, 1);
  expect([passing('kept', 1), passing('old', 1)]).toEqual([0, 1]);
});

test('an address that the platform has had enough of is refused here too, though here it is new', async () => {
  const { limit, passing, lines } = isolate(async ({ key }) => ({ success: key !== 'a' }));
  expect([passing('a', 1), passing('b', 1)]).toEqual([1, 1]);
  await limit.report('a');
  await limit.report('b');
  expect([passing('a', 100), passing('b', 100)]).toEqual([0, 59]);
  expect(lines).toEqual([]);
});

test('a counter of the platform that fails or hangs changes nothing, and the operator sees it', async () => {
  const failing = isolate(() => Promise.reject(new Error('internal error')));
  await failing.time.pass(failing.limit.report('a'));
  const hanging = isolate(() => new Promise(() => {}));
  await hanging.time.pass(hanging.limit.report('a'));
  expect(hanging.time.now).toBe(500);
  for (const { passing, lines } of [failing, hanging]) {
    expect(passing('a', 100)).toBe(60);
    expect(lines).toHaveLength(1);
  }
});
