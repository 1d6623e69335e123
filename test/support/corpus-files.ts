import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const CORPUS = resolve(import.meta.dirname, '../../../shared/corpus');

export interface CorpusFile {
  /** Folder and file name. */
  readonly name: string;
  readonly path: string;
}

/** The corpus's files of one folder with an extension (Node only). None, and a line that says so, where there is no corpus. */
export function corpusFiles(folder: string, extension: string): CorpusFile[] {
  const path = `${CORPUS}/${folder}`;
  if (!existsSync(path)) {
    console.log(`skipped: the corpus folder ${folder} is not there`);
    return [];
  }
  return readdirSync(path)
    .filter((name) => name.endsWith(extension))
    .map((name) => ({ name: `${folder}/${name}`, path: `${path}/${name}` }));
}

/** The bytes of a file as the product gets them: a plain Uint8Array. */
export function fileBytes({ path }: CorpusFile): Uint8Array {
  return new Uint8Array(readFileSync(path));
}
