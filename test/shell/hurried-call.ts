import { type PlatformCall, writePatience } from '../../src/delivery/send-bytes.ts';
import { callPlatform, type PlatformShell } from '../../src/platform/call-platform.ts';
import type { FaultSchedule } from './fault-schedule.ts';

/** The pause before a third try, by the chance below. What is longer is a time limit. */
const CHANCE = 0.5;
const LONGEST_PAUSE_MS = CHANCE * writePatience.backOffMs * 2;

/**
 * `callPlatform` with time that passes when it must: a pause is over at once, and the time limit when the schedule has a call hang or be
 * late. Calls that are well take as long as they take.
 */
export function hurriedCall(schedule: FaultSchedule): PlatformCall {
  const limits = new Set<() => void>();
  schedule.noticed = (fault) => {
    if (/ (hang|delay)$/.test(fault)) for (const late of limits) late();
  };
  const shell: PlatformShell = {
    timer(milliseconds, late) {
      if (milliseconds <= LONGEST_PAUSE_MS) {
        queueMicrotask(late);
        return () => {};
      }
      limits.add(late);
      return () => void limits.delete(late);
    },
    random: () => CHANCE,
  };
  return (what, call, patience) => callPlatform(what, call, patience, shell);
}
