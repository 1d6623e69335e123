import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { buildDocs } from './docs/build-docs.ts';
import { headersFile } from './headers-file.ts';
import { mirrorFolder } from './mirror-folder.ts';

/** Pages of the console with an address of their own, besides the first. */
const pages = ['history', 'usage', 'keys', 'operator'];

/** Builds the console and renders the documentation into build/console. */
export async function buildConsole(root: string): Promise<void> {
  const out = join(root, 'build/console.new');
  const source = join(root, 'packages/console');
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await build({
    root: source,
    base: '/console/',
    configFile: false,
    logLevel: 'warn',
    publicDir: join(source, 'public'),
    resolve: { conditions: ['plume-source', 'module', 'browser', 'production'] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: join(out, 'console'),
      emptyOutDir: true,
      target: 'es2023',
      // No address in the page but its own: a preload polyfill would fetch, and an inlined file would be a second way to the same thing.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  });
  const page = await readFile(join(out, 'console/index.html'));
  for (const name of pages) {
    await mkdir(join(out, 'console', name));
    await writeFile(join(out, 'console', name, 'index.html'), page);
  }
  await build({
    root: join(source, 'docs'),
    base: '/docs/',
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: join(out, 'docs'),
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(source, 'docs/docs.ts'),
        output: { entryFileNames: 'docs.js', assetFileNames: 'docs.[ext]' },
      },
    },
  });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await buildDocs(root, join(out, 'docs'), version);
  await writeFile(join(out, '_headers'), headersFile());
  await mirrorFolder(out, join(root, 'build/console'));
  await rm(out, { recursive: true });
}
