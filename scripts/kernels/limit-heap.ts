import { readUnsigned, type Section, section } from './wasm-binary.ts';
import { appended } from './wasm-module.ts';

/** The global's export name; `src/image/kernels/library-codecs.ts` sets it. */
const EXPORT_NAME = 'plumePages';

/** How Emscripten's `sbrk` asks for the memory's size in bytes: memory.size, i32.const 16, i32.shl. */
const memorySize = [0x3f, 0x00, 0x41, 0x10, 0x74] as const;
const GLOBAL_GET = 0x23;

/**
 * Gives a module a heap that ends below the end of its memory: `sbrk` reads the number of pages from a new global, exported
 * as `plumePages`, where it read the size of the memory. The new instruction is as long as the old one, so that nothing else moves
 * (WebAssembly core specification 2.0, 5.4.3 variable instructions, 5.5.9 global section, 5.5.10 export section).
 * @throws Error when the module does not ask exactly once
 */
export function limitHeap(sections: readonly Section[]): Section[] {
  const globals = sections.find(({ id }) => id === section.global);
  if (globals === undefined) throw new Error('not an Emscripten module: no globals');
  const [index] = readUnsigned(globals.body, 0);
  if (index > 127) throw new Error('the index of a new global needs more than one byte');
  return sections.map((present) => {
    if (present.id === section.global) return appended(present, [0x7f, 0x01, 0x41, 0x00, 0x0b]);
    if (present.id === section.export) return appended(present, [...exportName(), 0x03, index]);
    return present.id === section.code ? { ...present, body: readsGlobal(present.body, index) } : present;
  });
}

function exportName(): number[] {
  const bytes = new TextEncoder().encode(EXPORT_NAME);
  return [bytes.length, ...bytes];
}

function readsGlobal(code: Uint8Array, index: number): Uint8Array {
  const wanted = Buffer.from(memorySize);
  const found = Buffer.from(code.buffer, code.byteOffset, code.length);
  const at = found.indexOf(wanted);
  if (at < 0 || found.indexOf(wanted, at + 1) >= 0)
    throw new Error('the module does not ask for its size exactly once');
  const changed = Uint8Array.from(code);
  changed.set([GLOBAL_GET, index], at);
  return changed;
}
