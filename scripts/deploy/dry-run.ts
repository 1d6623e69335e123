import type { RunWrangler } from './run-wrangler.ts';

/** What stands for the versions' ids in a dry run. */
export const RUNNING = '<running version>';
export const UPLOADED = '<new version>';

/**
 * Prints every command instead of running it, as a deployment to an empty account would: whatever is asked for
 * is not there yet, whatever is done succeeds.
 */
export function dryRun(say: (line: string) => void): RunWrangler {
  return (args, { note } = {}) => {
    const command = args.join(' ');
    say(`$ npx wrangler ${command}${note ? `    # ${note}` : ''}`);
    const missing = /^(r2 bucket info|d1 list|secret list|deployments status)\b/.test(command);
    return { ok: !missing, output: '', errors: missing ? 'It does not exist.' : '', versionId: UPLOADED };
  };
}
