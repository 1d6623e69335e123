import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapi } from '../src/http/openapi.ts';

/** Lints the OpenAPI document by the rules of redocly.yaml. It goes to a file first, since the linter reads files only. */
const root = join(import.meta.dirname, '..');
const file = join(root, 'build/openapi.json');
mkdirSync(join(root, 'build'), { recursive: true });
writeFileSync(file, `${JSON.stringify(openapi('0.0.0'), null, 2)}\n`);

const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js');
const linted = spawnSync(process.execPath, [linter, 'lint', file, '--format=codeframe'], {
  cwd: root,
  encoding: 'utf8',
  // Nothing is asked or told on the network.
  env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
});
const findings = /❌|⚠|Validation failed|warning/i.test(linted.stdout + linted.stderr);
if (linted.status !== 0 || findings) {
  process.stderr.write(linted.stdout + linted.stderr);
  process.exit(1);
}
