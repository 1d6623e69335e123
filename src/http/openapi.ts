import { z } from 'zod';
import { limits } from '../limits.ts';
import { compressFields } from './contract.ts';
import { errorAnswers } from './error-answers.ts';
import type { FileBody, Operation, Parameter } from './operation.ts';
import { errorsOf, operations } from './operations.ts';

type Json = Record<string, unknown>;

const component = (id: string) => `#/components/schemas/${id}`;
const text = { schema: { type: 'string' } };
const count = { schema: { type: 'integer', minimum: 0 } };

const description = `Up to ${limits.files} images a request, each at most 20 MB (20 × 1024 × 1024 bytes).
An error's body is \`{"error", "message"}\`; \`error\` is stable, \`message\` is for people. Every response has an X-Request-Id.`;

/** The OpenAPI 3.1 document of the whole interface, from the schemas that validate. @param version of the service */
export function openapi(version: string): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Plume', version, description },
    servers: [{ url: '/' }],
    paths: paths(),
    components: {
      schemas: schemas(),
      headers: {
        'X-Request-Id': { description: 'Quote it when you report a problem.', ...text },
        'X-Compressions-Used': { description: 'This month.', ...count },
        'X-Compressions-Limit': { description: 'A month.', ...count },
        'X-AI-Credits-Remaining': { description: 'Monthly ones and top-ups.', ...count },
      },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        admin: { type: 'http', scheme: 'bearer', description: 'The operator’s token.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-plume_session',
          description: 'The session of a signed-in browser; never together with a key.',
        },
      },
    },
  };
}

function paths(): Record<string, Json> {
  const byPath: Record<string, Json> = {};
  for (const operation of operations) {
    byPath[operation.path] = { ...byPath[operation.path], [operation.method]: describe(operation) };
  }
  return byPath;
}

function describe(operation: Operation): Json {
  const { operationId, summary, access, parameters = [], request } = operation;
  return {
    operationId,
    summary,
    tags: [operation.tag],
    description: operation.description,
    security: securityOf[access],
    parameters: [...pathParameters(operation.path), ...parameters.map(parameter)],
    ...(request === undefined ? {} : { requestBody: { required: true, content: requestContent(request) } }),
    responses: { ...successes(operation), ...failures(operation) },
  };
}

const securityOf: Readonly<Record<Operation['access'], readonly Json[]>> = {
  key: [{ key: [] }, { session: [] }],
  owner: [{ session: [] }],
  session: [{ session: [] }],
  page: [],
  admin: [{ admin: [] }, { session: [] }],
  open: [],
};

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, ...text }));
}

function parameter({ required = false, ...rest }: Parameter): Json {
  return { ...rest, required };
}

function requestContent(request: z.ZodType | 'form'): Json {
  if (request !== 'form') return { 'application/json': { schema: reference(request) } };
  const file = (mediaType: string, what: string) => ({
    type: 'string',
    format: 'binary',
    contentMediaType: mediaType,
    description: what,
  });
  const files = {
    file: {
      type: 'array',
      minItems: 1,
      maxItems: limits.files,
      items: file('image/*', 'JPEG, PNG, WebP or AVIF, at most 20 MB.'),
    },
    watermarkFile: file('image/png', 'Put on every image; at most 5 MB and 16 megapixels. Paid plans only.'),
  };
  const { properties } = z.toJSONSchema(compressFields, { io: 'input' });
  const schema = { type: 'object', properties: { ...files, ...properties }, required: ['file'] };
  return { 'multipart/form-data': { schema } };
}

function successes(operation: Operation): Record<string, Json> {
  const answers = Object.entries(operation.success).map(([status, { description: what, body }]) => {
    const headers = { ...commonHeaders(operation), ...ownHeaders(operation) };
    return [status, { description: what, headers, ...(body === undefined ? {} : { content: successContent(body) }) }];
  });
  return Object.fromEntries(answers);
}

const bytes = { type: 'string', format: 'binary' };
const fileTypes: Readonly<Record<FileBody, readonly [types: readonly string[], schema: Json]>> = {
  image: [['image/webp', 'image/avif', 'image/jpeg', 'image/png'], bytes],
  zip: [['application/zip'], bytes],
  text: [['text/plain'], { type: 'string' }],
  markdown: [['text/markdown'], { type: 'string' }],
  json: [['application/json'], { type: 'object' }],
};

function successContent(body: z.ZodType | FileBody): Json {
  if (typeof body !== 'string') return { 'application/json': { schema: reference(body) } };
  const [types, schema] = fileTypes[body];
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function ownHeaders(operation: Operation): Json {
  const entries = Object.entries(operation.headers ?? {});
  return Object.fromEntries(entries.map(([name, what]) => [name, { description: what, ...text }]));
}

function failures(operation: Operation): Record<string, Json> {
  const byStatus = Object.groupBy(errorsOf(operation), (code) => errorAnswers[code].status);
  const answers = Object.entries(byStatus).map(([status, codes]) => {
    const wireTexts = codes.map((code) => errorAnswers[code].text ?? code);
    const names = codes.flatMap((code) => Object.keys(errorAnswers[code].headers ?? {}));
    const own = Object.fromEntries(names.map((name) => [name, text]));
    const schema = {
      allOf: [{ $ref: component('Error') }, { properties: { error: { anyOf: wireTexts.map(textSchema) } } }],
    };
    const content = { 'application/json': { schema } };
    // Who is not authenticated has no usage.
    const common = commonHeaders({ access: status === '401' ? 'open' : operation.access });
    return [status, { description: wireTexts.join(' · '), headers: { ...common, ...own }, content }];
  });
  return Object.fromEntries(answers);
}

/** A fixed text, or one with a file's name in it. */
function textSchema(wireText: string): Json {
  if (!wireText.includes('<name>')) return { const: wireText };
  return { type: 'string', pattern: `^${wireText.replace('<name>', '.*')}$` };
}

function commonHeaders({ access }: Pick<Operation, 'access'>): Json {
  const names = ['X-Request-Id'];
  if (access === 'key') names.push('X-Compressions-Used', 'X-Compressions-Limit', 'X-AI-Credits-Remaining');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function reference(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new Error('a schema of the contract has no id');
  return { $ref: component(id) };
}

/** All schemas of the contract that have an id, as what a client sends or may rely on: defaults make fields optional. */
function schemas(): Json {
  const all = z.toJSONSchema(z.globalRegistry, { io: 'input', uri: component }).schemas;
  const plain = Object.entries(all).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]);
  return Object.fromEntries(plain);
}
