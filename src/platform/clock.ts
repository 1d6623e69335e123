import { platformShell } from './call-platform.ts';

/** The present time and timers, as the platform has them or as a test does. In a Worker time moves on I/O only. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Runs `late` after so many milliseconds, unless the function that it returns is called before. */
  timer(milliseconds: number, late: () => void): () => void;
}

export const platformClock: Clock = { now: () => Date.now(), timer: platformShell.timer };
