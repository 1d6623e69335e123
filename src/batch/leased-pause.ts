import type { JobWorkspace } from '../image/job-workspace.ts';
import type { Pause } from '../image/pacer.ts';

/** A pause after which the arena may be another job's: it then throws LeaseLostError. */
export function leasedPause(pause: Pause | undefined, workspace: JobWorkspace): Pause {
  return async () => {
    await pause?.();
    workspace.check();
  };
}
