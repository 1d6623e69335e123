import { encodeUnsigned, readSigned, readUnsigned, type Section, section } from './wasm-binary.ts';

const PAGE = 65_536;
const MAX_PAGES = 65_536;
/** The import's module and field name; `src/image/kernels/library-codecs.ts` provides it. */
const MODULE_NAME = 'plume';
const FIELD_NAME = 'memory';

/**
 * Changes a module that defines its memory into one that imports it as `plume.memory` (WebAssembly core specification
 * 2.0, 5.5.5 import section, 5.5.8 memory section). Memory 0 stays memory 0, so no instruction changes. The least size
 * becomes what the module's static data and stack need: Emscripten's default of 16 MiB is room for a heap that the arena gives anyway.
 */
export function importMemory(sections: readonly Section[]): Section[] {
  const least = Math.ceil(staticBytes(sections) / PAGE);
  const withoutMemory = sections.filter(({ id }) => id !== section.memory);
  return withoutMemory.map((s) => (s.id === section.import ? withMemoryImport(s, least) : s));
}

function withMemoryImport({ id, body }: Section, leastPages: number): Section {
  const [count, offset] = readUnsigned(body, 0);
  const entry = [
    ...name(MODULE_NAME),
    ...name(FIELD_NAME),
    0x02,
    0x01,
    ...encodeUnsigned(leastPages),
    ...encodeUnsigned(MAX_PAGES),
  ];
  return { id, body: Uint8Array.from([...encodeUnsigned(count + 1), ...body.subarray(offset), ...entry]) };
}

function name(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  return [...encodeUnsigned(bytes.length), ...bytes];
}

/** Bytes below the heap: the higher of the stack's top (global 0 of an Emscripten module) and the end of the data segments. */
function staticBytes(sections: readonly Section[]): number {
  const globals = sections.find(({ id }) => id === section.global);
  const data = sections.find(({ id }) => id === section.data);
  if (globals === undefined || data === undefined) throw new Error('not an Emscripten module: no globals or no data');
  return Math.max(stackTop(globals.body), dataEnd(data.body));
}

function stackTop(globals: Uint8Array): number {
  const [, first] = readUnsigned(globals, 0);
  const constant = first + 2;
  if (globals[constant] !== 0x41) throw new Error('global 0 is not an i32 constant');
  return readSigned(globals, constant + 1)[0];
}

function dataEnd(data: Uint8Array): number {
  let end = 0;
  let [segments, at] = readUnsigned(data, 0);
  for (; segments > 0; segments--) {
    let offset = 0;
    const [flags, afterFlags] = readUnsigned(data, at);
    at = afterFlags;
    if (flags === 0) {
      const [value, afterValue] = readSigned(data, at + 1);
      offset = value;
      at = afterValue + 1;
    }
    const [size, start] = readUnsigned(data, at);
    end = Math.max(end, offset + size);
    at = start + size;
  }
  return end;
}
