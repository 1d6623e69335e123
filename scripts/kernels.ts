import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isUpToDate, stampBuild } from './kernels/build-stamp.ts';
import { compileKernel } from './kernels/compile-kernel.ts';
import { exportVariables } from './kernels/export-variables.ts';
import { importMemory } from './kernels/import-memory.ts';
import { limitHeap } from './kernels/limit-heap.ts';
import { type SplitSizes, splitFunctions } from './kernels/split-functions.ts';
import { steerAv1Encoder } from './kernels/steer-av1-encoder.ts';
import { joinSections, readSections } from './kernels/wasm-binary.ts';

/** The library codecs: name in `build/` and where the package keeps the binary. */
const codecs = {
  'avif-decode': '@jsquash/avif/codec/dec/avif_dec.wasm',
  'avif-encode': '@jsquash/avif/codec/enc/avif_enc.wasm',
  'jpeg-encode': '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm',
} as const;

/** Above about so much code, what one function takes to be compiled shows in an isolate's process. */
const SPLIT: SplitSizes = { function: 8000, piece: 4000 };

/** Where our own kernels are: one AssemblyScript module each. */
const ASSEMBLY = 'src/image/kernels/assembly';

/** All that the build depends on; where none of it has changed, nothing is made again. */
const inputs = {
  folders: [ASSEMBLY, 'scripts/kernels'],
  files: ['scripts/kernels.ts'],
  packages: ['assemblyscript', 'binaryen', '@jsquash/avif', '@jsquash/jpeg'],
};

/**
 * Makes `build/*.wasm`. Library codecs are changed so that they import their memory and end their heap where the arena of
 * `src/image/kernels/arena.ts` says, since as published each would keep 16 MiB and more to itself, and their longest functions are
 * cut up. Our kernels are compiled.
 * @param names only these; none: all
 */
async function buildKernels(root: string, names: readonly string[]): Promise<void> {
  const wanted = (name: string) => names.length === 0 || names.includes(name);
  await mkdir(join(root, 'build'), { recursive: true });
  for (const [name, source] of Object.entries(codecs)) {
    if (!wanted(name)) continue;
    const sections = readSections(await readFile(join(root, 'node_modules', source)));
    const steered = name === 'avif-encode' ? steerAv1Encoder(sections) : sections;
    const arenaCodec = limitHeap(importMemory(exportVariables(steered)));
    await writeWhole(join(root, 'build', `${name}.wasm`), joinSections(splitFunctions(arenaCodec, SPLIT)));
  }
  for (const file of await readdir(join(root, ASSEMBLY))) {
    const name = basename(file, '.ts');
    if (file.endsWith('.ts') && wanted(name)) {
      await writeWhole(join(root, 'build', `${name}.wasm`), await compileKernel(root, `${ASSEMBLY}/${file}`));
    }
  }
}

/** Leaves an equal file alone, since a running server reloads what changes, and never shows half of a new one. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(bytes)) return;
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, bytes);
  await rename(fresh, path);
}

const root = join(import.meta.dirname, '..');
const names = process.argv.slice(2);
if (names.length > 0) await buildKernels(root, names);
else if (!(await isUpToDate(root, inputs))) {
  await buildKernels(root, []);
  await stampBuild(root, inputs);
}
