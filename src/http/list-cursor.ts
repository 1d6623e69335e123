import { Buffer } from 'node:buffer';
import { RequestError } from '../errors.ts';

/** Where a page of a list ends: the next one follows after it. */
export interface ListPlace {
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly id: string;
}

/** A place as an opaque text for an address. */
export function encodeCursor({ createdAt, id }: ListPlace): string {
  return Buffer.from(`${createdAt}.${id}`).toString('base64url');
}

/** The place that a cursor stands for; undefined without one. @throws RequestError invalid_request */
export function decodeCursor(cursor: string | undefined): ListPlace | undefined {
  if (cursor === undefined) return undefined;
  const [, createdAt, id] =
    /^(\d{1,15})\.([\w-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (createdAt !== undefined && id !== undefined) return { createdAt: Number(createdAt), id };
  throw new RequestError('invalid_request', 'cursor must be a nextCursor of this list, as it was received.');
}
