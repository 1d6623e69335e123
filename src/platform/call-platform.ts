import { isolateCounters } from './counters.ts';

/** How long a call to the platform is waited for, and how often it is made. */
export interface Patience {
  /** Calls at the most, the first one included. */
  readonly tries: number;
  /** Milliseconds that one call may take. */
  readonly limitMs: number;
  /** Milliseconds: the longest pause after the first failure; it doubles with every further one. */
  readonly backOffMs: number;
}

/** For calls that usually take some ten milliseconds: R2, D1, an account's ledger. */
export const usualPatience: Patience = { tries: 3, limitMs: 10_000, backOffMs: 100 };

/** Time and chance, as the platform has them or as a test does. */
export interface PlatformShell {
  /** Runs `late` after so many milliseconds, unless the function that it returns is called before. */
  timer(milliseconds: number, late: () => void): () => void;
  /** From 0 up to 1. */
  random(): number;
  /** Told of every call that failed; `last`: that it is not tried again. */
  failed?(what: string, last: boolean): void;
}

/** The name under which failed calls are counted. */
export const PLATFORM_FAILURES = 'plume_platform_failures_total';

export const platformShell: PlatformShell = {
  timer(milliseconds, late) {
    const handle = setTimeout(late, milliseconds);
    return () => clearTimeout(handle);
  },
  random: () => Math.random(),
  failed: (call, last) => isolateCounters.add(PLATFORM_FAILURES, { call, last: String(last) }),
};

/**
 * The platform did not do what it was asked for, however often. `reason` is what it said last; `overloaded` that it asked not to be
 * called again at once. Not the customer's fault, and not a defect: the answer is 503.
 */
export class PlatformError extends Error {
  readonly reason: unknown;
  readonly overloaded: boolean;

  constructor(what: string, reason: unknown) {
    super(`${what}: ${reason instanceof Error ? reason.message : String(reason)}`);
    this.name = 'PlatformError';
    this.reason = reason;
    this.overloaded = isOverloaded(reason);
  }
}

/**
 * Makes a call to the platform with a time limit, and again where it fails or hangs, after a pause of random length. The call must do no
 * harm when it is made twice: one that is given up may still be carried out.
 * @param what names the call for the log: `R2 put`
 * @throws PlatformError when the last try failed, or at once when the platform is overloaded
 */
export async function callPlatform<Result>(
  what: string,
  call: () => Promise<Result>,
  patience: Patience = usualPatience,
  shell: PlatformShell = platformShell,
): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await inTime(call, patience.limitMs, shell);
    } catch (error) {
      const last = tried >= patience.tries || isOverloaded(error);
      shell.failed?.(what, last);
      if (last) throw new PlatformError(what, error);
      await pause(shell.random() * patience.backOffMs * 2 ** (tried - 1), shell);
    }
  }
}

async function inTime<Result>(call: () => Promise<Result>, limitMs: number, shell: PlatformShell): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = shell.timer(limitMs, () => reject(new Error(`no answer in ${limitMs} ms`)));
  try {
    return await Promise.race([call(), promise]);
  } finally {
    cancel();
  }
}

function pause(milliseconds: number, shell: PlatformShell): Promise<void> {
  return new Promise((resolve) => void shell.timer(milliseconds, resolve));
}

/** Durable Objects mark it (`.overloaded`); D1 says it in words. */
function isOverloaded(error: unknown): boolean {
  if ((error as { overloaded?: unknown } | null | undefined)?.overloaded === true) return true;
  return error instanceof Error && /\boverloaded\b/i.test(error.message);
}
