import { describe, expect, test } from 'vitest';
import { Chance } from '../../../scripts/capacity/chance.ts';
import { EventLoop } from '../../../scripts/capacity/event-loop.ts';
import { mean, quantile } from '../../../scripts/capacity/quantile.ts';
import { Station } from '../../../scripts/capacity/station.ts';

const CUSTOMERS = 400_000;

interface Queue {
  readonly servers: number;
  /** Arrivals a second. */
  readonly rate: number;
  /** Services a second of one server. */
  readonly speed: number;
  readonly service: 'exponential' | 'constant';
}

/** Waits of customers who arrive by chance. */
function waits({ servers, rate, speed, service }: Queue): number[] {
  const loop = new EventLoop();
  const chance = new Chance(7);
  const station = new Station(loop, servers);
  const found: number[] = [];
  const arrive = () => {
    const seconds = service === 'constant' ? 1 / speed : chance.exponential(1 / speed);
    station.enter({ seconds, served: (waited) => void found.push(waited) });
    if (found.length < CUSTOMERS) loop.after(chance.exponential(1 / rate), arrive);
  };
  loop.after(0, arrive);
  loop.run();
  expect(station.busy / loop.now / servers).toBeCloseTo(rate / speed / servers, 1);
  return found;
}

const within = (value: number, truth: number, share: number) => expect(Math.abs(value / truth - 1)).toBeLessThan(share);

/** Kleinrock, "Queueing Systems" I. */
describe('a station waits as the closed forms say', () => {
  test.each([0.3, 0.5, 0.8])('M/M/1 at %d', (load) => {
    const found = waits({ servers: 1, rate: load, speed: 1, service: 'exponential' });
    within(mean(found), load / (1 - load), 0.04);
    // P(W > t) = load · e^(−(1 − load)·t)
    within(quantile(found, 0.99), Math.log(load / 0.01) / (1 - load), 0.06);
    within(found.filter((wait) => wait > 0).length / found.length, load, 0.02);
  });

  test.each([0.3, 0.5, 0.8])('M/D/1 at %d', (load) => {
    const found = waits({ servers: 1, rate: load, speed: 1, service: 'constant' });
    within(mean(found), load / (2 * (1 - load)), 0.04);
  });

  test.each([
    [4, 0.7],
    [16, 0.9],
  ])('M/M/%d at %d (Erlang C)', (servers, load) => {
    const found = waits({ servers, rate: servers * load, speed: 1, service: 'exponential' });
    within(mean(found), erlangC(servers, servers * load) / (servers * (1 - load)), 0.05);
  });
});

/** The share of customers who have to wait. */
function erlangC(servers: number, offered: number): number {
  let blocked = 1;
  for (let server = 1; server <= servers; server++) blocked = (offered * blocked) / (server + offered * blocked);
  const load = offered / servers;
  return blocked / (1 - load * (1 - blocked));
}

test('who loses patience leaves, and is not served', () => {
  const loop = new EventLoop();
  const station = new Station(loop, 1);
  const told: string[] = [];
  const visit = (name: string, patience?: number) =>
    station.enter({
      seconds: 10,
      served: (waited) => void told.push(`${name} after ${waited} at ${loop.now}`),
      ...(patience !== undefined && { patience }),
      left: () => void told.push(`${name} left at ${loop.now}`),
    });
  visit('a', 5);
  visit('b', 5);
  visit('c', 10.5);
  visit('d');
  loop.run();
  expect(told).toEqual(['b left at 5', 'a after 0 at 10', 'c after 10 at 20', 'd after 20 at 30']);
  expect(station.busy).toBe(30);
});

test('events happen in the order of their time, those of one moment in the order in which they were set', () => {
  const loop = new EventLoop();
  const chance = new Chance(3);
  const seen: [time: number, order: number][] = [];
  for (let order = 0; order < 2000; order++) {
    const time = chance.below(50);
    loop.after(time, () => void seen.push([time, order]));
  }
  loop.run();
  expect(seen).toEqual(seen.toSorted(([a, x], [b, y]) => a - b || x - y));
  expect(seen).toHaveLength(2000);
});

test('half of the values are below the median', () => {
  expect([quantile([3, 1, 2], 0.5), quantile([], 0.5), mean([1, 2])]).toEqual([2, 0, 1.5]);
});
