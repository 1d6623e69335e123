import { spawnSync } from 'node:child_process';
import { wranglerEnvironment, wranglerProgram } from './wrangler.ts';

/** Brings the local database up to date. @throws Error with wrangler's words when it fails */
export function applyMigrations(root: string, stateFolder: string): void {
  const args = [
    '--no-warnings',
    wranglerProgram(root),
    'd1',
    'migrations',
    'apply',
    'DB',
    '--local',
    '--persist-to',
    stateFolder,
  ];
  const applied = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...wranglerEnvironment(stateFolder), CI: 'true' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (applied.status !== 0) throw new Error(`The database could not be prepared:\n${applied.stdout}${applied.stderr}`);
}
