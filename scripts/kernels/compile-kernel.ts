import { main } from 'assemblyscript/asc';
import { readSections, section } from './wasm-binary.ts';

/**
 * What every kernel is compiled with. Kernels share one memory and must not have anything of their own in it, so there is no
 * runtime and no allocator, and `abort`, which would need strings, is a trap.
 */
const options = [
  ...['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--importMemory', '--use', 'abort='],
  ...['--enable', 'simd', '--enable', 'bulk-memory', '--zeroFilledMemory'],
];

/**
 * Compiles one AssemblyScript kernel.
 * @param root the project's folder
 * @param entry path of the module below it
 * @throws Error with the compiler's words, or when the kernel would have data of its own in the memory that all share
 */
export async function compileKernel(root: string, entry: string): Promise<Uint8Array> {
  const output = `${entry}.wasm`;
  let binary: Uint8Array | undefined;
  const { error, stderr } = await main([entry, '--outFile', output, '--baseDir', root, ...options], {
    writeFile: (name, contents) => {
      if (name === output && typeof contents !== 'string') binary = contents;
    },
  });
  if (error) throw new Error(`${entry} does not compile:\n${stderr.toString()}`);
  if (binary === undefined) throw new Error(`${entry} gave no binary`);
  if (readSections(binary).some(({ id, body }) => id === section.data && body[0] !== 0)) {
    throw new Error(`${entry} has static data: kernels share one memory and may have nothing of their own in it`);
  }
  return binary;
}
