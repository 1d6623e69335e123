/** Runs one wrangler command. */
export type RunWrangler = (
  args: readonly string[],
  options?: {
    /** Keeps what it says instead of showing it. */
    readonly capture?: boolean;
    /** Nobody is asked: every question has its usual answer. */
    readonly unattended?: boolean;
    /** Explains the command in a dry run. */
    readonly note?: string;
  },
) => WranglerAnswer;

export interface WranglerAnswer {
  readonly ok: boolean;
  readonly output: string;
  readonly errors: string;
  /** The version that the command has uploaded, as wrangler notes it for programs (WRANGLER_OUTPUT_FILE_PATH). */
  readonly versionId?: string;
}

/** @throws Error that says which step failed and what to do */
export function must(done: WranglerAnswer, step: string): WranglerAnswer {
  if (!done.ok) throw new Error(`${step} failed. ${done.errors}Mend the cause and run npm run deploy again.`.trim());
  return done;
}
