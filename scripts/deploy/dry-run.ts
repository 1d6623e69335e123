import type { RunWrangler } from './run-wrangler.ts';

/**
 * Prints every command instead of running it, as a first deployment to an empty account would: whatever is asked for
 * is not there yet, whatever is done succeeds.
 */
export function dryRun(say: (line: string) => void): RunWrangler {
  return (args, { capture = false, note } = {}) => {
    say(`$ npx wrangler ${args.join(' ')}${note ? `    # ${note}` : ''}`);
    const asks = capture && args[0] !== 'whoami';
    return { ok: !asks, output: '', errors: asks ? 'It does not exist.' : '' };
  };
}
