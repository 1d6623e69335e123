import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** Runs a line in a shell in the project's folder, as somebody would who pastes it; resolves with what it prints. */
export function runAsPasted(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'sh',
      ['-c', line],
      { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8' },
      (error, output, errors) => {
        if (error) reject(new Error(`${line}\n${errors}`));
        else resolve(output);
      },
    );
  });
}
