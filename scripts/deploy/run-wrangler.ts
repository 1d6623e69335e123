/** Runs one wrangler command. `capture` keeps what it says instead of showing it; `note` explains it in a dry run. */
export type RunWrangler = (
  args: readonly string[],
  options?: { readonly capture?: boolean; readonly note?: string },
) => { readonly ok: boolean; readonly output: string; readonly errors: string };
