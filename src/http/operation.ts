import type { z } from 'zod';
import type { RequestErrorCode } from '../errors.ts';

/** One call of the interface, as data: the OpenAPI document and the tests' client are made from it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** With `{name}` for each path parameter. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly access: 'key' | 'admin' | 'open';
  /** Query parameters and request headers. */
  readonly parameters?: readonly Parameter[];
  /** A JSON schema, or `form` for the multipart upload. */
  readonly request?: z.ZodType | 'form';
  /** Statuses of success. A body that is no schema is bytes of an image. */
  readonly success: Readonly<Record<number, { readonly description: string; readonly body?: z.ZodType | 'image' }>>;
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
