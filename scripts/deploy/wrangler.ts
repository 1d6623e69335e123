import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wranglerProgram } from '../start/wrangler.ts';
import type { RunWrangler } from './run-wrangler.ts';

/** Runs wrangler for real; what only asks is captured, what does is shown. */
export function wranglerOf(root: string): RunWrangler {
  return (args, { capture = false, unattended = false } = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'plume-wrangler-'));
    const notes = join(folder, 'notes.ndjson');
    const shown = capture ? 'pipe' : 'inherit';
    try {
      const done = spawnSync(process.execPath, ['--no-warnings', wranglerProgram(root), ...args], {
        cwd: root,
        env: {
          ...process.env,
          WRANGLER_HIDE_BANNER: 'true',
          WRANGLER_SEND_METRICS: 'false',
          WRANGLER_OUTPUT_FILE_PATH: notes,
          ...(unattended ? { CI: 'true' } : {}),
        },
        encoding: 'utf8',
        stdio: ['inherit', shown, shown],
      });
      const answer = { ok: done.status === 0, output: `${done.stdout ?? ''}`, errors: `${done.stderr ?? ''}` };
      const versionId = existsSync(notes) ? versionIn(readFileSync(notes, 'utf8')) : undefined;
      return versionId === undefined ? answer : { ...answer, versionId };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** The version of the last upload among wrangler's notes, one JSON object a line. */
export function versionIn(notes: string): string | undefined {
  const entries = notes.split('\n').filter((line) => line.trim() !== '');
  const uploads = entries
    .map((line) => JSON.parse(line) as { type?: string; version_id?: string | null })
    .filter(({ type }) => type === 'deploy' || type === 'version-upload');
  return uploads.at(-1)?.version_id ?? undefined;
}
