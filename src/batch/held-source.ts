import type { HeldPlace } from './staged-place.ts';

/** How files are reached that the objects of batches hold. */
export interface HeldSource {
  /** A range of a file; undefined where it is not held any more. */
  open(place: HeldPlace, offset: number, length: number): Promise<ReadableStream | undefined>;
  /** Lets an object forget what it holds, unless its batch has begun. */
  discard(by: string): Promise<unknown>;
}

interface Holder extends Rpc.DurableObjectBranded {
  heldFile(part: number, offset: number, length: number): Promise<ReadableStream | undefined>;
  discard(): Promise<boolean>;
}

export type HolderNamespace = DurableObjectNamespace<Holder>;

/** The objects of a namespace. An id says by itself in which jurisdiction its object is. */
export function heldSource(namespace: HolderNamespace): HeldSource {
  const holder = (by: string) => namespace.get(namespace.idFromString(by));
  return {
    open: async ({ by, part }, offset, length) => await holder(by).heldFile(part, offset, length),
    discard: async (by) => await holder(by).discard(),
  };
}
