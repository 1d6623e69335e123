import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface StartArguments {
  readonly port: number;
  /** Absolute path of the folder that keeps everything between starts. */
  readonly stateFolder: string;
}

/**
 * Reads `--port N` (default 8787) and `--persist-to DIR` (default `.plume` in the project).
 * @throws Error with a sentence for the user when an argument is unknown or the port is not 1–65535
 */
export function readArguments(args: readonly string[], root: string): StartArguments {
  const { values } = parseArgs({
    args: [...args],
    options: { port: { type: 'string', default: '8787' }, 'persist-to': { type: 'string' } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`--port must be a whole number from 1 to 65535; got "${values.port}".`);
  }
  const folder = values['persist-to'];
  // npm runs scripts in the package's folder; a relative path means the folder that the user typed it in.
  return { port, stateFolder: folder ? resolve(process.env.INIT_CWD ?? '.', folder) : join(root, '.plume') };
}
