import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Makes `to` hold what `from` holds. Equal files are left alone, and never is half of one seen: a running server serves them meanwhile. */
export async function mirrorFolder(from: string, to: string): Promise<void> {
  const fresh = await filesIn(from);
  for (const path of fresh) await writeWhole(join(to, path), await readFile(join(from, path)));
  for (const path of await filesIn(to)) if (!fresh.includes(path)) await rm(join(to, path));
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(bytes)) return;
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.part`;
  await writeFile(part, bytes);
  await rename(part, path);
}
