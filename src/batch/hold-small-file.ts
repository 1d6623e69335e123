import { type Patience, type PlatformShell, platformShell } from '../platform/call-platform.ts';
import { sendPieces } from './send-pieces.ts';
import type { HeldPlace } from './staged-place.ts';

/** An object that holds small files of its batch; see `HeldFiles`. */
export interface HolderStub {
  hold(part: number, size: number, body: ReadableStream): Promise<string | undefined>;
}

/** Takes a small file that has arrived whole; undefined where it cannot. */
export type HoldSmallFile = (
  part: number,
  pieces: readonly Uint8Array<ArrayBuffer>[],
) => Promise<HeldPlace | undefined>;

/** Short: there is another way. */
const patience: Patience = { tries: 2, limitMs: 5000, backOffMs: 100 };

/**
 * Hands small files to the object of their batch. What cannot be held, for whatever reason, can still be staged.
 * @param holder each time anew, because a stub through which a call failed is of no more use
 */
export function holdSmallFile(holder: () => HolderStub, shell: PlatformShell = platformShell): HoldSmallFile {
  return async (part, pieces) => {
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    const hold = async (body: ReadableStream) => await holder().hold(part, size, body);
    const by = await sendPieces('batch hold', pieces, hold, { patience, shell }).catch(() => undefined);
    return by === undefined ? undefined : { by, part };
  };
}
