import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { deploy } from './deploy/deploy.ts';
import { dryRun } from './deploy/dry-run.ts';
import { wranglerOf } from './deploy/wrangler.ts';
import { settingNames } from './start/settings.ts';

const root = join(import.meta.dirname, '..');

function check(): void {
  const tested = spawnSync('npm', ['test'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (tested.status !== 0) throw new Error('The checks failed; nothing was deployed.');
}

/** What is uploaded besides the code. Nothing is made again where nothing has changed. */
function build(): void {
  for (const script of ['kernels', 'console']) {
    const built = spawnSync(process.execPath, [join(root, `scripts/${script}.ts`)], { cwd: root, stdio: 'inherit' });
    if (built.status !== 0) throw new Error(`scripts/${script}.ts failed; nothing was deployed.`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, 'skip-checks': { type: 'boolean', default: false } },
  });
  const environment = Object.fromEntries(
    settingNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]!]] : [])),
  );
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const smokeKey = process.env.SMOKE_TEST_KEY || undefined;
  const shell = { root, environment, say, smokeKey, fetch, pause };
  if (values['dry-run']) {
    say('$ npm test');
    return deploy({ ...shell, wrangler: dryRun(say), write: false });
  }
  if (!values['skip-checks']) check();
  build();
  return deploy({ ...shell, wrangler: wranglerOf(root), write: true });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
