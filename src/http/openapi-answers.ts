import { z } from 'zod';
import type { RequestErrorCode } from '../errors.ts';
import { errorAnswers } from './error-answers.ts';
import { answerExample, errorExamples } from './openapi-examples.ts';
import type { FileBody, Operation } from './operation.ts';
import { errorsOf } from './operations.ts';

export type Json = Record<string, unknown>;

const text = { schema: { type: 'string' } };
const count = { schema: { type: 'integer', minimum: 0 } };

/** Where a schema of the contract is in the document. */
export function reference(id: string): string {
  return `#/components/schemas/${id}`;
}

/** A reference to a schema that has an id. */
export function schemaReference(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new Error('a schema of the contract has no id');
  return { $ref: reference(id) };
}

/** Headers that many answers have. */
export const commonHeaderObjects = {
  'X-Request-Id': { description: 'Quote it when you report a problem.', ...text },
  'X-Compressions-Used': { description: 'Compressions that were used this month.', ...count },
  'X-Compressions-Limit': { description: 'Compressions of the plan, a month.', ...count },
  'X-AI-Credits-Remaining': { description: 'AI credits that are left, monthly ones and top-ups.', ...count },
};

const errorHeaders: Readonly<Record<string, string>> = {
  'WWW-Authenticate': 'How to authenticate (RFC 9110, 11.6.1).',
  Allow: 'The methods that the address has.',
  Location: 'The address of the batch that runs under the same Idempotency-Key.',
  'Content-Range': 'The size of the file (RFC 9110, 14.4).',
  'Retry-After': 'Seconds after which to try again.',
};

const bytes = { type: 'string', format: 'binary' };
const fileTypes: Readonly<Record<FileBody, readonly [types: readonly string[], schema: Json]>> = {
  image: [['image/webp', 'image/avif', 'image/jpeg', 'image/png'], bytes],
  zip: [['application/zip'], bytes],
  text: [['text/plain'], { type: 'string' }],
  markdown: [['text/markdown'], { type: 'string' }],
  json: [['application/json'], { type: 'object' }],
};

/** The answers of an operation when all goes well, by status. */
export function successAnswers(operation: Operation): Record<string, Json> {
  const answers = Object.entries(operation.success).map(([status, { description, body }]) => {
    const headers = { ...commonHeaders(operation.access), ...ownHeaders(operation) };
    const content = body === undefined ? {} : { content: successContent(operation, status, body) };
    return [status, { description, headers, ...content }];
  });
  return Object.fromEntries(answers);
}

function successContent(operation: Operation, status: string, body: z.ZodType | FileBody): Json {
  if (typeof body === 'string') {
    const [types, schema] = fileTypes[body];
    return Object.fromEntries(types.map((type) => [type, { schema }]));
  }
  const json = { schema: schemaReference(body), ...exampleOf(operation, status) };
  const streams = status === '200' && operation.events !== undefined;
  return { 'application/json': json, ...(streams && { 'text/event-stream': eventContent(operation) }) };
}

/** OpenAPI 3.1 has no words for a stream of events: they are shown as the array of what they say. */
function eventContent(operation: Operation): Json {
  const events = Object.entries(operation.events ?? {}).map(([name, schema]) => ({
    type: 'object',
    title: name,
    properties: { event: { type: 'string', const: name }, data: schemaReference(schema) },
    required: ['event', 'data'],
  }));
  const description =
    'Server-sent events (WHATWG HTML, 9.2) in their order, each sent as `event: <name>` and `data: <JSON on one line>`; comments in between keep the connection.';
  const items = events.length === 1 ? events[0] : { oneOf: events };
  return { schema: { type: 'array', description, items }, ...exampleOf(operation, 'events') };
}

function exampleOf(operation: Operation, status: string): Json {
  const value = answerExample(operation.operationId, status);
  return value === undefined ? {} : { examples: { answer: { summary: operation.summary, value } } };
}

function ownHeaders(operation: Operation): Json {
  const entries = Object.entries(operation.headers ?? {});
  return Object.fromEntries(entries.map(([name, description]) => [name, { description, ...text }]));
}

/** The answers of an operation when it is refused or fails, by status. */
export function failureAnswers(operation: Operation): Record<string, Json> {
  const byStatus = Object.groupBy(errorsOf(operation), (code) => errorAnswers[code].status);
  const answers = Object.entries(byStatus).map(([status, codes]) => {
    const names = codes.flatMap((code) => Object.keys(errorAnswers[code].headers ?? {}));
    const own = Object.fromEntries(names.map((name) => [name, { description: errorHeaders[name], ...text }]));
    // Who is not authenticated has no usage.
    const headers = { ...commonHeaders(status === '401' ? 'open' : operation.access), ...own };
    const description = codes.map(wireText).join(' · ');
    const content = { 'application/json': { schema: errorSchema(codes), ...examplesOf(codes) } };
    return [status, { description, headers, content }];
  });
  return Object.fromEntries(answers);
}

function examplesOf(codes: readonly RequestErrorCode[]): Json {
  const known = codes.filter((code) => errorExamples[code] !== undefined);
  const examples = known.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return known.length === 0 ? {} : { examples: Object.fromEntries(examples) };
}

/** The general shape, with the texts that `error` may have here. */
function errorSchema(codes: readonly RequestErrorCode[]): Json {
  const fixed = codes.map(wireText).filter((wire) => !wire.includes('<name>'));
  const open = codes.map(wireText).filter((wire) => wire.includes('<name>'));
  const pattern = open.map((wire) => ({ type: 'string', pattern: `^${wire.replace('<name>', '.*')}$` }));
  const choices = [...(fixed.length > 0 ? [{ type: 'string', enum: fixed }] : []), ...pattern];
  const error = choices.length === 1 ? choices[0] : { anyOf: choices };
  return { allOf: [{ $ref: reference('Error') }, { type: 'object', properties: { error } }] };
}

function wireText(code: RequestErrorCode): string {
  return errorAnswers[code].text ?? code;
}

function commonHeaders(access: Operation['access']): Json {
  const names = ['X-Request-Id'];
  if (access === 'key' || access === 'owner') {
    names.push('X-Compressions-Used', 'X-Compressions-Limit', 'X-AI-Credits-Remaining');
  }
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
