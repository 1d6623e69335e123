import { readFileSync } from 'node:fs';
import { budget } from '../../src/image/budget.ts';

/** What resident memory is for. The machine's pages of one kind are never another's. */
export const residentKinds = [
  'program',
  'wasm memory',
  'wasm code',
  'script code',
  'V8 heap',
  'malloc',
  'other',
] as const;
export type ResidentKind = (typeof residentKinds)[number];
/** Resident bytes of a process, kind by kind. */
export type ResidentParts = Readonly<Record<ResidentKind, number>>;

interface Mapping {
  readonly start: number;
  readonly end: number;
  readonly rights: string;
  readonly path: string;
  readonly resident: number;
}

const MIB = 2 ** 20;
const GIB = 2 ** 30;
/** V8 keeps its heap in a cage of this size, which starts at a multiple of it. */
const CAGE = 4 * GIB;
/** The allocator (tcmalloc) takes address space in such pieces, at multiples of it. */
const MALLOC_RANGE = GIB;

/** Splits what a workerd holds resident by what it is for (Linux: `/proc/pid/smaps`). */
export function residentParts(pid: number): ResidentParts {
  const parts = Object.fromEntries(residentKinds.map((kind) => [kind, 0])) as Record<ResidentKind, number>;
  const mappings = readMappings(readFileSync(`/proc/${pid}/smaps`, 'utf8'));
  const cages = mappings.filter(isCage).map(({ start }) => start);
  for (const [n, mapping] of mappings.entries()) {
    const arena = arenaBytes(mapping, mappings[n + 1]);
    parts['wasm memory'] += arena;
    parts[kindOf(mapping, cages)] += mapping.resident - arena;
  }
  return parts;
}

function readMappings(smaps: string): Mapping[] {
  const headers = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ *(.*)\n(?:[A-Z].*\n)*?Rss: +(\d+) kB$/gm;
  return Array.from(smaps.matchAll(headers), ([, start, end, rights, path, resident]) => ({
    start: Number.parseInt(start!, 16),
    end: Number.parseInt(end!, 16),
    rights: rights!,
    path: path!,
    resident: Number(resident) * 1024,
  }));
}

function kindOf({ start, end, rights, path }: Mapping, cages: readonly number[]): ResidentKind {
  if (path.startsWith('/')) return 'program';
  // V8 reserves the range of its compiled JavaScript near the program, where the system takes it for the C heap.
  if (rights.startsWith('rwx')) return end - start > GIB / 4 ? 'script code' : 'wasm code';
  if (cages.some((cage) => start >= cage && start < cage + CAGE)) return 'V8 heap';
  return end % MALLOC_RANGE === 0 ? 'malloc' : 'other';
}

/** A cage begins with what is never written: the heap of the runtime's snapshot. */
function isCage({ start, rights, path }: Mapping): boolean {
  return start % CAGE === 0 && rights === 'r--p' && path === '';
}

/**
 * How much of a mapping is an arena's. What a WebAssembly memory has committed lies before what it may still grow to; other memory
 * may lie before both and look the same.
 */
function arenaBytes({ start, end, path, resident }: Mapping, next: Mapping | undefined): number {
  if (path !== '' || next === undefined || next.start !== end || next.rights !== '---p') return 0;
  for (const limit of [budget.arena, budget.small]) {
    const before = next.end - start - limit;
    if (before >= 0 && before < 8 * MIB) return Math.max(0, resident - before);
  }
  return 0;
}
