import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the pages are made of: folders whole, the contract that the reference is rendered from, and the versions of the tools. */
const folders = ['packages/client/src', 'packages/console', 'scripts/console', 'src', 'docs/guides'];
const files = ['scripts/console.ts', 'package-lock.json', 'package.json'];
const made = 'build/console';
const STAMP = 'build/console.sha256';
/** Made from none of it: the engine's source is large, and says nothing of the interface. */
const apart = /(^|\/)(node_modules|dist|kernels|migrations)(\/|$)/;

async function stamp(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of [...folders, made]) {
    for (const path of await filesIn(join(root, folder))) {
      hash.update(`${folder}/${path}\n`).update(await readFile(join(root, folder, path)));
    }
  }
  for (const file of files) hash.update(`${file}\n`).update(await readFile(join(root, file)));
  return hash.digest('hex');
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths
    .map((path) => path.slice(folder.length + 1))
    .filter((path) => !apart.test(path))
    .sort();
}

/** Whether build/console was made of what is there now, and is as it was made. */
export async function isUpToDate(root: string): Promise<boolean> {
  const noted = await readFile(join(root, STAMP), 'utf8').catch(() => undefined);
  return noted !== undefined && noted === (await stamp(root));
}

/** Notes that build/console was made of what is there now. */
export async function noteBuild(root: string): Promise<void> {
  await writeFile(join(root, STAMP), await stamp(root));
}
