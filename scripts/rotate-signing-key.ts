import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rotateLocalKey, rotateSigningKey } from './deploy/rotate-signing-key.ts';
import { wranglerOf } from './deploy/wrangler.ts';
import { settingNames } from './start/settings.ts';

const root = join(import.meta.dirname, '..');

/**
 * `npm run rotate-signing-key`: a new signing key for the deployed service. `-- --leaked` drops the present one at once, `-- --local` does it
 * in `.dev.vars`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { leaked: { type: 'boolean', default: false }, local: { type: 'boolean', default: false } },
  });
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  if (values.local) {
    rotateLocalKey(join(root, '.dev.vars'), values.leaked);
    return say('.dev.vars has a new SIGNING_KEY; it holds from the next npm start on.');
  }
  const environment = Object.fromEntries(
    settingNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]!]] : [])),
  );
  await rotateSigningKey({ ...values, root, environment, say, wrangler: wranglerOf(root), now: Date.now() });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
