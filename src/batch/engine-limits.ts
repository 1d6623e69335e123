import type { FormatId } from '../image/formats/format-id.ts';
import type { Plan } from '../image/plan.ts';
import { HELD_BYTES } from '../image/source-file.ts';

/** What a plan may take of an engine that is not for every job. */
export interface EngineLimits {
  /** Bytes of the arena. */
  readonly arena: number;
  /** Bytes on the heap. */
  readonly buffers: number;
  /** Estimated CPU seconds. */
  readonly cpuSeconds: number;
}

/** Those of an engine for every job. */
export const everything: EngineLimits = {
  arena: Number.POSITIVE_INFINITY,
  buffers: Number.POSITIVE_INFINITY,
  cpuSeconds: Number.POSITIVE_INFINITY,
};

/** Whether a plan takes no more than an engine gives. */
export function keepsWithin({ memory, cpuSeconds }: Plan, { arena, buffers, ...most }: EngineLimits): boolean {
  if (cpuSeconds > most.cpuSeconds) return false;
  return [memory.header, memory.decode, memory.encode].every(
    (cost) => cost.arena + (cost.library ?? 0) <= arena && cost.buffers <= buffers,
  );
}

/**
 * Whether a job may turn out to be small, which its plan tells. Its header must be readable without an arena; AVIF's encoder never fits.
 * @param format of the result
 */
export function mayBeSmall(fileBytes: number, format: FormatId): boolean {
  return fileBytes <= HELD_BYTES && format !== 'avif';
}
