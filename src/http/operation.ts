import type { z } from 'zod';
import type { RequestErrorCode } from '../errors.ts';

export const tags = {
  Images: 'Compress, convert, resize, watermark and describe images.',
  Batches: 'What became of requests: for clients that lost an answer, or never waited for it.',
  Downloads: 'Results, one by one or together.',
  Usage: 'What the account has used and has left.',
  Keys: 'The account’s own keys and what was done with them. For a signed-in browser only: a key never makes keys.',
  Sessions: 'Sign-in of browsers.',
  Administration: 'Accounts, keys and top-ups, for whoever runs the service.',
  Service: 'The service itself: health and documentation.',
} as const;
type Tag = keyof typeof tags;

/**
 * Who may call: anybody with a key or a signed-in browser, a signed-in browser of an account, any signed-in browser, a page of ours that may
 * sign in, an operator, anybody.
 */
type Access = 'key' | 'owner' | 'session' | 'page' | 'admin' | 'open';

/** A body that is no JSON by a schema: a result, a ZIP, a text, a document in Markdown, any JSON object. */
export type FileBody = 'image' | 'zip' | 'text' | 'markdown' | 'json';

/** One call of the interface, as data: the OpenAPI document and the tests' client are made from it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** With `{name}` for each path parameter. */
  readonly path: string;
  readonly operationId: string;
  /** The chapter of the reference in which it stands. */
  readonly tag: Tag;
  /** A few words, in the imperative and without a full stop. */
  readonly summary: string;
  /** Whole sentences: what it does, and what to know before it is used. */
  readonly description: string;
  readonly access: Access;
  /** Query parameters and request headers. */
  readonly parameters?: readonly Parameter[];
  /** A JSON schema, or `form` for the multipart upload. */
  readonly request?: z.ZodType | 'form';
  /** Statuses of success. A body that is no schema is bytes or text. */
  readonly success: Readonly<Record<number, { readonly description: string; readonly body?: z.ZodType | FileBody }>>;
  /** With `Accept: text/event-stream` a success is a stream of these events: by name, what the data of each is. */
  readonly events?: Readonly<Record<string, z.ZodType>>;
  /** Response headers of success, next to those that all answers have. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors: readonly RequestErrorCode[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}
