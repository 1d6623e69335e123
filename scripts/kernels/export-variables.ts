import { encodeUnsigned, readSigned, readUnsigned, type Section, section } from './wasm-binary.ts';
import { appended } from './wasm-module.ts';

/** The exports' names, with the variable's number behind; `src/image/kernels/library-codecs.ts` reads them. */
const EXPORT_NAME = 'plumeVariable';

const I32_CONST = 0x41;
const END = 0x0b;
const GLOBAL = 0x03;

/**
 * Lets the host see a module's variables (its mutable globals; that of the stack's pointer is number 0 in what Emscripten makes), so that it can
 * put an instance back to its first state (WebAssembly core specification 2.0, 5.5.9 global section, 5.5.10 export section).
 */
export function exportVariables(sections: readonly Section[]): Section[] {
  const globals = sections.find(({ id }) => id === section.global);
  if (globals === undefined) throw new Error('not an Emscripten module: no globals');
  const entries = variables(globals.body).map((index) => exportEntry(index));
  return sections.map((present) => (present.id === section.export ? entries.reduce(appended, present) : present));
}

/** Numbers of the globals that can change. */
function variables(body: Uint8Array): number[] {
  const found: number[] = [];
  const [count, first] = readUnsigned(body, 0);
  let at = first;
  for (let index = 0; index < count; index++) {
    if (body[at + 2] !== I32_CONST) throw new Error(`global ${index} is not an i32 constant`);
    const [, end] = readSigned(body, at + 3);
    if (body[end] !== END) throw new Error(`global ${index} is more than a constant`);
    if (body[at + 1] === 1) found.push(index);
    at = end + 1;
  }
  return found;
}

function exportEntry(index: number): number[] {
  const name = new TextEncoder().encode(`${EXPORT_NAME}${index}`);
  return [...encodeUnsigned(name.length), ...name, GLOBAL, ...encodeUnsigned(index)];
}
