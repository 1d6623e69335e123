import type { FaultName, FaultSchedule } from './fault-schedule.ts';

/** Longer than anybody waits. A promise alone would not do: the runtime ends a request that waits for nothing. */
const FOR_EVER_MS = 24 * 3600 * 1000;
const DELAY_MS = 15_000;

/** The Durable Object that makes calls. */
export interface CallingObject {
  /** The name of its namespace's binding. */
  readonly binding: string;
  /** Ends it at once. */
  abort(): void;
}

/** A call of a binding. */
export interface InjectedCall<Result> {
  readonly kind: string;
  /** Does it; more than once where it can be done twice. */
  work(): Promise<Result>;
  readonly canRepeat: boolean;
  /** Errors of this binding. */
  readonly failure: () => Error;
  readonly overloaded: () => Error;
  /** What is thrown for work that was done and whose answer is lost; `failure` when absent. */
  readonly lost?: () => Error;
  /** Does it and aborts the object that is called meanwhile. */
  reset?(): Promise<Result>;
  /** Who makes the call, if an object does. */
  readonly caller?: CallingObject | undefined;
  /** Whoever hands over a stream is told that nobody reads it. */
  refuse?(): Promise<void>;
}

/** Does a call as the schedule wants it. */
export async function inject<Result>(schedule: FaultSchedule, call: InjectedCall<Result>): Promise<Result> {
  const fault = schedule.next(call.kind, possible(call));
  const { caller } = call;
  if (caller !== undefined && (fault === 'reset' || schedule.strikes(caller.binding))) {
    schedule.note(`${caller.binding} aborted at ${call.kind}`);
    caller.abort();
    return await forEver();
  }
  switch (fault) {
    case 'fail':
      await call.refuse?.();
      throw call.failure();
    case 'overloaded':
      await call.refuse?.();
      throw call.overloaded();
    case 'hang':
      return await forEver();
    case 'delay':
      await scheduler.wait(schedule.settings.delayMs ?? DELAY_MS);
      return await call.work();
    case 'lost':
      await call.work();
      throw (call.lost ?? call.failure)();
    case 'twice':
      await call.work();
      return await call.work();
    case 'reset':
      return await call.reset!();
    default:
      return await call.work();
  }
}

function possible<Result>({ canRepeat, reset, caller }: InjectedCall<Result>): readonly FaultName[] {
  const always: FaultName[] = ['fail', 'overloaded', 'hang', 'delay', 'lost'];
  if (canRepeat) always.push('twice');
  if (reset ?? caller) always.push('reset');
  return always;
}

async function forEver(): Promise<never> {
  for (;;) await scheduler.wait(FOR_EVER_MS);
}
