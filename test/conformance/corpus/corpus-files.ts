import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Shown, show } from './compare-pictures.ts';
import { expectedFailures } from './expected-failures.ts';

const root = join(import.meta.dirname, '../../../../shared/corpus');

/** Pictures of more pixels are sent with `bound`: decoding them is what matters here, and encoders take their time. */
const FULL_SIZE_PIXELS = 150_000;
/** Pixels a side for larger pictures. */
export const bound = 256;

export interface CorpusFile {
  /** Folder and name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Sent with `bound`. */
  readonly bounded: boolean;
  /** How libvips shows it; undefined where a failure is expected or libvips cannot read it. */
  readonly shown: Shown | undefined;
}

/** Every file of the corpus that has any bytes: an empty one refuses its whole request. None where there is no corpus. */
export async function corpusFiles(): Promise<CorpusFile[]> {
  if (!existsSync(root)) {
    console.log('skipped: the corpus is not there, so no file of it was sent');
    return [];
  }
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.flatMap(({ name }) => readdirSync(join(root, name)).map((file) => `${name}/${file}`));
  const files = names.map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(root, name))) }));
  const empty = files.filter(({ bytes }) => bytes.length === 0);
  if (empty.length > 0) console.log(`skipped: empty in this corpus: ${empty.map(({ name }) => name).join(', ')}`);
  return await Promise.all(files.filter(({ bytes }) => bytes.length > 0).map(look));
}

async function look({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<CorpusFile> {
  const sides = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  const bounded = (sides?.width ?? 0) * (sides?.height ?? 0) > FULL_SIZE_PIXELS;
  const shown = expectedFailures[name] ? undefined : await show(bytes).catch(() => undefined);
  return { name, bytes, bounded, shown };
}
