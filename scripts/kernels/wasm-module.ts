import { encodeUnsigned, readUnsigned, type Section } from './wasm-binary.ts';
import type { FunctionType } from './wasm-function.ts';

const FUNCTION = 0x60;

/** A section's content; one that is not there is an empty vector. */
export function bodyOf(sections: readonly Section[], id: number): Uint8Array {
  return sections.find((present) => present.id === id)?.body ?? Uint8Array.of(0);
}

/** The type section (clause 5.5.4). */
export function readTypes(body: Uint8Array): FunctionType[] {
  const types: FunctionType[] = [];
  let [count, at] = readUnsigned(body, 0);
  for (; count > 0; count--) {
    if (body[at] !== FUNCTION) throw new Error('a type that is not a function');
    const [params, resultsAt] = readUnsigned(body, at + 1);
    const [results, end] = readUnsigned(body, resultsAt + params);
    types.push({
      params: [...body.subarray(resultsAt, resultsAt + params)],
      results: [...body.subarray(end, end + results)],
    });
    at = end + results;
  }
  return types;
}

/** Types of the functions that a module imports (clause 5.5.5). */
export function importedFunctions(body: Uint8Array): number[] {
  const types: number[] = [];
  let [count, at] = readUnsigned(body, 0);
  for (; count > 0; count--) {
    for (let name = 0; name < 2; name++) {
      const [length, start] = readUnsigned(body, at);
      at = start + length;
    }
    const kind = body[at];
    if (kind === 0) {
      const [type, end] = readUnsigned(body, at + 1);
      types.push(type);
      at = end;
    } else at = importEnd(body, at);
  }
  return types;
}

/** Behind the description of an imported table, memory or global. */
function importEnd(body: Uint8Array, at: number): number {
  if (body[at] === 3) return at + 3;
  const limits = body[at] === 1 ? at + 2 : at + 1;
  const [, least] = readUnsigned(body, limits + 1);
  return body[limits] === 0 ? least : readUnsigned(body, least)[1];
}

/** A vector of numbers (clause 5.1.3). */
export function readVector(body: Uint8Array): number[] {
  const values: number[] = [];
  let [count, at] = readUnsigned(body, 0);
  for (; count > 0; count--) {
    const [value, next] = readUnsigned(body, at);
    values.push(value);
    at = next;
  }
  return values;
}

/** The code section's functions, without their sizes (clause 5.5.13). */
export function readCodes(body: Uint8Array): Uint8Array[] {
  const codes: Uint8Array[] = [];
  let [count, at] = readUnsigned(body, 0);
  for (; count > 0; count--) {
    const [size, start] = readUnsigned(body, at);
    codes.push(body.subarray(start, start + size));
    at = start + size;
  }
  return codes;
}

/** The number of a type, which is added where there is none. */
export function typeIndex(type: FunctionType, types: FunctionType[]): number {
  const wanted = encodeType(type).join();
  const known = types.findIndex((present) => encodeType(present).join() === wanted);
  return known >= 0 ? known : types.push(type) - 1;
}

/** A function type (clause 5.3.6). */
export function encodeType({ params, results }: FunctionType): number[] {
  return [FUNCTION, ...encodeUnsigned(params.length), ...params, ...encodeUnsigned(results.length), ...results];
}

/** A vector of what is encoded already (clause 5.1.3). */
export function vector(entries: readonly (readonly number[])[]): Uint8Array {
  const bytes = encodeUnsigned(entries.length);
  for (const entry of entries) push(bytes, entry);
  return Uint8Array.from(bytes);
}

/** A section that is a vector, with one more entry. */
export function appended({ id, body }: Section, entry: readonly number[]): Section {
  const [count, offset] = readUnsigned(body, 0);
  return { id, body: Uint8Array.from([...encodeUnsigned(count + 1), ...body.subarray(offset), ...entry]) };
}

/** Without spreading: a function may have more bytes than a call may have arguments. */
export function push(bytes: number[], more: Iterable<number>): void {
  for (const byte of more) bytes.push(byte);
}
