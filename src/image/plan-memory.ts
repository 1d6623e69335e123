import type { Cost, DecodePlan, EncodePlan } from './formats/format.ts';
import { type Frame, frameBytes } from './frame.ts';
import { aligned } from './kernels/aligned.ts';
import { HELD_BYTES } from './source-file.ts';
import type { PlannedStep } from './steps/step.ts';

/** Peaks in bytes while the header is read, while the file is read and decoded, and while a gathered frame is encoded. */
export interface PlannedMemory {
  readonly header: Cost;
  readonly decode: Cost;
  readonly encode: Cost;
}

/** What a job consists of, by which its memory is judged. */
export interface Stages {
  readonly decode: DecodePlan;
  readonly steps: readonly PlannedStep[];
  readonly frame: Frame;
  readonly encode: EncodePlan;
  readonly fileBytes: number;
  readonly watermarkBytes: number;
}

/** Where a stage does not take place. */
export const nothing: Cost = { arena: 0, buffers: 0 };

/** What of a file is on the heap before it is where the decoder wants it. */
export function heapBytes(fileBytes: number): number {
  return fileBytes > HELD_BYTES ? 0 : fileBytes;
}

/** See `readHeader`. */
export function headerCost(fileBytes: number): Cost {
  return { arena: aligned(fileBytes - heapBytes(fileBytes)), buffers: heapBytes(fileBytes) };
}

/** Peaks of all stages. */
export function planMemory(p: Stages): PlannedMemory {
  const { decode, steps, frame, encode, fileBytes, watermarkBytes } = p;
  const header = headerCost(fileBytes);
  const pipeline = decode.cost.buffers + steps.reduce((sum, { buffers }) => sum + buffers, 0) + watermarkBytes;
  const held = (decode.fileIn === 'heap' ? fileBytes : 0) + pipeline;
  const arena =
    decode.cost.arena +
    (decode.fileIn === 'arena' ? aligned(fileBytes) : 0) +
    steps.reduce((sum, step) => sum + (step.arena ?? 0), 0);
  const library = wholePages(decode.cost.library);
  if (!encode.wholeFrame) {
    const buffers = Math.max(header.buffers + watermarkBytes, held + encode.cost.buffers);
    const shared = Math.max(library, wholePages(encode.cost.library));
    return { header, decode: { arena: arena + encode.cost.arena, library: shared, buffers }, encode: nothing };
  }
  const whole = steps.reduce((delivers, step) => step.delivers ?? delivers, decode.delivers) === 'frame';
  const gathered = whole ? 0 : frameBytes(frame);
  return {
    header,
    decode: { arena, library, buffers: Math.max(header.buffers + watermarkBytes, held + gathered) },
    encode: { ...encode.cost, buffers: frameBytes(frame) + watermarkBytes + encode.cost.buffers },
  };
}

/** Bytes that a library codec's part takes: the regions above it start at a page. */
function wholePages(bytes = 0): number {
  return Math.ceil(bytes / 65_536) * 65_536;
}
