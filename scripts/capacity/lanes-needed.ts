import { quantile } from './quantile.ts';
import { type ServiceTimes, type Situation, simulate } from './service-model.ts';

/** The goal: of 100 files at the most one waits for longer than so many seconds, and none is refused. */
export const GOAL_SECONDS = 5;

const steps = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 160, 192, 256, 320, 384, 512, 768, 1024];

/** Whether the goal is reached. */
export function isFastEnough(situation: Situation, times: ServiceTimes): boolean {
  const { waits, refused } = simulate(situation, times);
  return refused === 0 && quantile(waits, 0.99) <= GOAL_SECONDS;
}

/** The fewest lanes of a data centre, of some steps, with which the goal is reached; undefined where the most do not suffice. */
export function lanesNeeded(times: ServiceTimes, situationWith: (lanes: number) => Situation): number | undefined {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isFastEnough(situationWith(steps[middle]!), times)) high = middle;
    else low = middle + 1;
  }
  return steps[low];
}

/** The most images a second of one data centre with which so many lanes reach the goal, to about a tenth. */
export function mostImages(times: ServiceTimes, situationAt: (imagesPerSecond: number) => Situation): number {
  let [low, high] = [0, 1];
  while (isFastEnough(situationAt(high), times)) [low, high] = [high, high * 2];
  while (high - low > high / 10) {
    const middle = (low + high) / 2;
    if (isFastEnough(situationAt(middle), times)) low = middle;
    else high = middle;
  }
  return low;
}
