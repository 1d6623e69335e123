/** What a call to a lane that failed tells about the job. */
export type LaneFailure =
  /** The object died over something that had nothing to do with the job: worth another try. */
  | 'passing'
  /** The platform asks not to be called again at once. */
  | 'overloaded'
  /** The object was reset, perhaps by the job itself: it may have taken too much CPU time or memory. See `blameOf`. */
  | 'deadly'
  /** Anything else that was thrown in the lane. */
  | 'defect';

/** What the runtime says when it resets an object for what ran in it (workerd and the Durable Objects documentation, "Error handling"). */
const DEADLY =
  /exceeded its (?:CPU|memory)|CPU time limit|memory limit|was reset|to reset|reset because|aborted|destroyed|no answer in/i;
/** A deployment resets objects too, and that is nobody's fault; a lost connection says nothing about the object. */
const PASSING = /code was updated|network connection lost|internal error|transient|storage operation exceeded timeout/i;
const OVERLOADED = /\boverloaded\b|too much load/i;

/** Tells from the error of a call to a lane whether the job may be tried again. */
export function laneFailure(error: unknown): LaneFailure {
  const { overloaded, durableObjectReset, retryable } = (error ?? {}) as Record<string, unknown>;
  const message = error instanceof Error ? error.message : String(error);
  if (overloaded === true || OVERLOADED.test(message)) return 'overloaded';
  if (PASSING.test(message)) return 'passing';
  if (durableObjectReset === true || DEADLY.test(message)) return 'deadly';
  return retryable === true ? 'passing' : 'defect';
}

/**
 * What a failed call says of the job. `certain`: its lane died while the job had the main engine, and it may be what took too much memory or
 * CPU time; never tried again. `perhaps`: it met a defect, or was on the small engine, whose jobs are bounded to a few seconds. `none`: it had
 * nothing to do with it.
 */
export type Blame = 'certain' | 'perhaps' | 'none';

/** @param engine that the job was on when the call failed, as far as its caller was told; undefined: none, it waited for one or for its texts */
export function blameOf(failure: Exclude<LaneFailure, 'overloaded'>, engine: 'small' | 'main' | undefined): Blame {
  if (failure === 'passing') return 'none';
  if (failure === 'defect') return 'perhaps';
  if (engine === undefined) return 'none';
  return engine === 'main' ? 'certain' : 'perhaps';
}
