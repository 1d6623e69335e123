import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { scene } from '../../test/conformance/support/pictures.ts';
import { mark } from '../memory/sources.ts';
import type { SoakFile } from './compress-request.ts';

/** Real files, where the machine has them. */
const CORPUS = '/work/shared/corpus';
const LARGEST_OF_CORPUS = 600_000;

export interface SoakFiles {
  readonly small: readonly SoakFile[];
  readonly photos: readonly SoakFile[];
  readonly broken: readonly SoakFile[];
  /** Whatever is about: may be accepted or not. */
  readonly corpus: readonly SoakFile[];
  readonly watermark: Uint8Array;
}

export async function soakFiles(): Promise<SoakFiles> {
  const small = await Promise.all([
    good('a.png', scene(320, 240).png()),
    good('b.jpg', scene(800, 600).jpeg({ quality: 85 })),
    good('c.webp', scene(640, 480).webp({ quality: 80 })),
    good('d.jpg', scene(500, 700).jpeg({ progressive: true })),
    good('e.png', sharp(await mark()).resize(200)),
    good('f.avif', scene(200, 150).avif({ effort: 1 })),
    good('g.png', scene(64, 64).png({ palette: true })),
  ]);
  const photos = await Promise.all([
    good('p.jpg', scene(2400, 1800).jpeg({ quality: 90 })),
    good('q.png', scene(1600, 1200).png()),
    good('r.webp', scene(2000, 1500).webp({ quality: 85, effort: 1 })),
  ]);
  return { small, photos, broken: broken(small), corpus: corpus(), watermark: await mark() };
}

async function good(name: string, picture: { toBuffer(): Promise<Buffer> }): Promise<SoakFile> {
  return { name, bytes: new Uint8Array(await picture.toBuffer()), is: 'good' };
}

/** Cut in their headers, or no images at all: what is damaged further on may still be shown. */
function broken(files: readonly SoakFile[]): SoakFile[] {
  const cut = files.map(({ name, bytes }) => ({ name: `cut-${name}`, bytes: bytes.slice(0, 24) }));
  const other = [
    { name: 'text.png', bytes: Buffer.from('this is no image') },
    { name: 'zeros.jpg', bytes: new Uint8Array(5000) },
    { name: 'page.webp', bytes: Buffer.from('<!doctype html><title>404</title>') },
  ];
  return [...cut, ...other].map((file) => ({ ...file, is: 'broken' }));
}

function corpus(): SoakFile[] {
  if (!existsSync(CORPUS)) return [];
  return ['png', 'jpeg', 'webp', 'avif', 'broken', 'screens'].flatMap((folder) => {
    const path = join(CORPUS, folder);
    if (!existsSync(path)) return [];
    const names = readdirSync(path).filter((name) => {
      const { size } = statSync(join(path, name));
      // An empty file refuses its whole request.
      return size > 0 && size < LARGEST_OF_CORPUS;
    });
    return names.map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(path, name))), is: 'any' as const }));
  });
}
