import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { FormatId } from '../../src/image/formats/format-id.ts';
import type { FuzzMessage } from './worker.ts';

/** Milliseconds after which a job counts as one that hangs. */
const HANGS_AFTER = 20_000;

/** One job that ended, or that had to be ended. */
export interface SeedReport {
  readonly seed: number;
  readonly kind: string;
  readonly detail: string;
  readonly milliseconds: number;
}

/** Runs the jobs of all seeds from `first` to below `end`, in a process that is started anew when it hangs or dies. */
export async function runSeeds(
  format: FormatId,
  first: number,
  end: number,
  report: (seed: SeedReport) => void,
): Promise<void> {
  for (let next = first; next < end; ) next = await runUntilTrouble(format, next, end, report);
}

/** @returns the seed to go on with */
function runUntilTrouble(
  format: FormatId,
  first: number,
  end: number,
  report: (seed: SeedReport) => void,
): Promise<number> {
  return new Promise((resolve) => {
    const child = fork(join(import.meta.dirname, 'worker.ts'), [format, String(first), String(end)]);
    let running = first;
    let trouble = 'the process died';
    const hangs = () => {
      trouble = 'it hangs';
      child.kill('SIGKILL');
    };
    let watchdog = setTimeout(hangs, 3 * HANGS_AFTER);
    child.on('message', (message: FuzzMessage) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(hangs, HANGS_AFTER);
      if ('begins' in message) running = message.begins;
      else {
        report({ seed: message.ended, ...message });
        running = message.ended + 1;
      }
    });
    child.on('exit', () => {
      clearTimeout(watchdog);
      if (running < end) report({ seed: running, kind: 'defect', detail: trouble, milliseconds: HANGS_AFTER });
      resolve(running + 1);
    });
  });
}
