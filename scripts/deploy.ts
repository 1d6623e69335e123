import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deploy } from './deploy/deploy.ts';
import { dryRun } from './deploy/dry-run.ts';
import type { RunWrangler } from './deploy/run-wrangler.ts';
import { settingNames } from './start/settings.ts';
import { wranglerProgram } from './start/wrangler.ts';

const root = join(import.meta.dirname, '..');

/** Runs wrangler for real; what only asks is captured, what does is shown. */
const wrangler: RunWrangler = (args, { capture = false } = {}) => {
  const done = spawnSync(process.execPath, ['--no-warnings', wranglerProgram(root), ...args], {
    cwd: root,
    env: { ...process.env, WRANGLER_HIDE_BANNER: 'true', WRANGLER_SEND_METRICS: 'false' },
    encoding: 'utf8',
    stdio: ['inherit', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
  });
  return { ok: done.status === 0, output: `${done.stdout ?? ''}`, errors: `${done.stderr ?? ''}` };
};

function check(): void {
  const tested = spawnSync('npm', ['test'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (tested.status !== 0) throw new Error('The checks failed; nothing was deployed.');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, 'skip-checks': { type: 'boolean', default: false } },
  });
  const environment = Object.fromEntries(
    settingNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]!]] : [])),
  );
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (values['dry-run']) {
    say('$ npm test');
    return deploy({ root, environment, say, wrangler: dryRun(say), write: false });
  }
  if (!values['skip-checks']) check();
  return deploy({ root, environment, say, wrangler, write: true });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
