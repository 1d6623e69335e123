import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the kernels are made of: folders and files of the project, and packages by their version. */
export interface BuildInputs {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

const STAMP = 'build/kernels.sha256';

/** SHA-256 (hex) over all that the build depends on and over what it has made. */
export async function stampOf(root: string, { folders, files, packages }: BuildInputs): Promise<string> {
  const hash = createHash('sha256');
  const add = async (path: string) => hash.update(`${path}\n`).update(await readFile(join(root, path)));
  for (const folder of folders) {
    for (const path of (await readdir(join(root, folder), { recursive: true })).sort()) {
      if (path.endsWith('.ts')) await add(join(folder, path));
    }
  }
  for (const file of files) await add(file);
  for (const name of packages) await add(`node_modules/${name}/package.json`);
  for (const made of (await readdir(join(root, 'build')).catch(() => [])).sort()) {
    if (made.endsWith('.wasm')) await add(`build/${made}`);
  }
  return hash.digest('hex');
}

/** Whether the kernels were made of what is there now, and are as they were made. */
export async function isUpToDate(root: string, inputs: BuildInputs): Promise<boolean> {
  const stamp = await readFile(join(root, STAMP), 'utf8').catch(() => undefined);
  return stamp !== undefined && stamp === (await stampOf(root, inputs));
}

/** Notes that the kernels were made of what is there now. */
export async function stampBuild(root: string, inputs: BuildInputs): Promise<void> {
  await writeFile(join(root, STAMP), await stampOf(root, inputs));
}
