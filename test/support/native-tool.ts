import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether a native program for comparison is installed (Node only). Says so when it is not. */
export function hasTool(name: string): boolean {
  const found = spawnSync(name, ['-h'], { stdio: 'ignore' }).error === undefined;
  if (!found) console.log(`skipped: ${name} is not installed`);
  return found;
}

/** Whether a program is on the path, asked without starting it. */
export function hasProgram(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

/** Runs a program and gives what it prints; undefined when it fails. */
export function run(name: string, ...args: string[]): string | undefined {
  try {
    return execFileSync(name, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 });
  } catch {
    return undefined;
  }
}

/** Gives a function a folder of its own, removed afterwards, and a way to write files into it. */
export async function inFolder<Result>(
  work: (write: (name: string, bytes: Uint8Array) => string, folder: string) => Promise<Result> | Result,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'plume-test-'));
  const write = (name: string, bytes: Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  try {
    return await work(write, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A short text that is the same when the bytes are: comparing long buffers element by element takes minutes. */
export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
