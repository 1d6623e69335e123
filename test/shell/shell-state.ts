import { FaultSchedule, type FaultSettings } from './fault-schedule.ts';
import { RunningCalls } from './running-calls.ts';

/**
 * What the Worker and its Durable Objects share. Module state on purpose: on one machine they are in one isolate, and the control
 * routes change the faults of all of them.
 */
export const schedule = new FaultSchedule({ seed: 1 });
export const running = new RunningCalls();

/** Reads the variable `FAULTS`; without it nothing goes wrong. */
export function startSchedule(variable: string | undefined): void {
  if (variable) schedule.change(JSON.parse(variable) as FaultSettings);
}
