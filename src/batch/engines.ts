import { budget } from '../image/budget.ts';
import { type Arena, isolateArena, isolateSmallArena } from '../image/kernels/arena.ts';
import { limits } from '../limits.ts';
import type { EngineLimits } from './engine-limits.ts';
import { EngineQueue, type QueueClock } from './engine-queue.ts';
import { isolateTraffic } from './traffic.ts';

/** An arena and the queue in front of it. */
export interface Engine {
  readonly arena: Arena;
  readonly queue: EngineQueue;
  /** Lets others have the thread between two bands of an image. */
  pause(): Promise<void>;
}

/** Milliseconds between two looks whether others are done. */
const TURN_MS = 2;
/** Milliseconds after which a large job gets on all the same; it computes for some 100 to 300 between two pauses. */
const LONGEST_PAUSE_MS = 1000;

/** What a small job may hold on the heap: the file, of which only those are candidates that are held whole, and its bands. */
const SMALL_BUFFERS = 10 * 1024 * 1024;

const clock: QueueClock = {
  now: () => Date.now(),
  // A timer is no storage operation: while it is waited for, a Durable Object's input gate is open and the isolate is free for others.
  wait: (milliseconds) => scheduler.wait(milliseconds),
  every(milliseconds, tick) {
    const handle = setInterval(tick, milliseconds);
    return () => clearInterval(handle);
  },
};

const smallQueue = new EngineQueue(limits.queue, clock);

/**
 * The isolate's engines: module state on purpose, since an isolate has one thread and its memory, however many lanes it hosts. Small jobs
 * run in the pauses of a large one.
 */
export const isolateEngines = {
  main: { arena: isolateArena, queue: new EngineQueue(limits.queue, clock), pause: standAside },
  small: { arena: isolateSmallArena, queue: smallQueue, pause: () => scheduler.wait(0) },
} satisfies Record<string, Engine>;

/** What a plan may take to run on the small engine: CPU seconds as of the worst content, an ordinary image takes a third of it. */
export const smallEngine: EngineLimits = { arena: budget.small, buffers: SMALL_BUFFERS, cpuSeconds: 5 };

/** Lets the requests and small jobs of the isolate go ahead: each has little to do in many turns. */
async function standAside(): Promise<void> {
  const from = clock.now();
  do await scheduler.wait(TURN_MS);
  while ((smallQueue.inUse || isolateTraffic.flows) && clock.now() - from < LONGEST_PAUSE_MS);
}
