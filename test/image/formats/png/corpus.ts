import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../../../../shared/corpus');

/** Whether the corpus lies beside the checkout; tests that need it skip themselves where it does not. */
export const hasCorpus = existsSync(root);

/** The PNG files of the given folders, as folder/name. */
export function corpusPngs(...folders: readonly string[]): string[] {
  if (!hasCorpus) return [];
  return folders.flatMap((folder) =>
    readdirSync(resolve(root, folder))
      .filter((name) => name.endsWith('.png'))
      .map((name) => `${folder}/${name}`),
  );
}

export function readCorpus(path: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(resolve(root, path)));
}
