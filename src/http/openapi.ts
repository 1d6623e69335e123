import { z } from 'zod';
import { limits } from '../limits.ts';
import { compressFields } from './contract.ts';
import {
  commonHeaderObjects,
  failureAnswers,
  type Json,
  reference,
  schemaReference,
  successAnswers,
} from './openapi-answers.ts';
import { errorExamples, requestExample } from './openapi-examples.ts';
import { type Operation, type Parameter, tags } from './operation.ts';
import { operations } from './operations.ts';

const text = { schema: { type: 'string' } };

const description = `Up to ${limits.files} images a request, each at most 20 MB (20 × 1024 × 1024 bytes).

Programs send a key in the header \`Authorization: Bearer <API_KEY>\`; a signed-in browser sends its session's cookie; never both.

An error's body is \`{"error", "message"}\`: \`error\` is stable, \`message\` is for people and says what was wrong, what is allowed and what to do. Every response has an \`X-Request-Id\`: quote it when you report a problem.`;

/** The OpenAPI 3.1 document of the whole interface, from the schemas that validate. @param version of the service */
export function openapi(version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plume',
      version,
      summary: 'Image optimisation by HTTP.',
      description,
      contact: { name: 'Whoever runs this service' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    tags: Object.entries(tags).map(([name, what]) => ({ name, description: what })),
    paths: paths(),
    components: {
      schemas: schemas(),
      headers: commonHeaderObjects,
      examples: Object.fromEntries(
        Object.entries(errorExamples).map(([code, value]) => [code, { summary: value.error, value }]),
      ),
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
  const { operationId, tag, summary, description, access, parameters = [], request } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: securityOf[access],
    parameters: [...pathParameters(operation.path), ...parameters.map(parameter)],
    ...(request === undefined ? {} : { requestBody: { required: true, content: requestContent(operation, request) } }),
    responses: { ...successAnswers(operation), ...failureAnswers(operation) },
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

/** What each path parameter is, by the part of the path before it and its name. */
const pathParameterTexts: Readonly<Record<string, string>> = {
  'batches/id': 'The id of the batch: the `X-Request-Id` of the request that made it.',
  'accounts/id': 'The id of the account.',
  'keys/id': 'The id of the key; it is no secret.',
  'd/key': 'Names the result.',
  'd/name': 'The name under which it is saved. Not signed; the extension is always right.',
  'z/key': 'Names the ZIP.',
  'z/name': 'The name under which it is saved. Not signed.',
};

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([whole, name]) => {
    const [before = ''] = path.slice(1, path.indexOf(whole)).split('/').filter(isWord).slice(-1);
    const what = pathParameterTexts[`${before}/${name}`];
    if (what === undefined) throw new Error(`path parameter ${before}/${name} has no description`);
    return { name, in: 'path', required: true, description: what, ...text };
  });
}

function isWord(part: string): boolean {
  return /^[a-z]+$/.test(part);
}

function parameter({ required = false, ...rest }: Parameter): Json {
  return { ...rest, required };
}

function requestContent(operation: Operation, request: z.ZodType | 'form' | 'file'): Json {
  const example = requestExample(operation.operationId);
  const examples =
    example === undefined ? {} : { examples: { request: { summary: operation.summary, value: example } } };
  if (request === 'form') return { 'multipart/form-data': { schema: formSchema(), ...examples } };
  if (request !== 'file') return { 'application/json': { schema: schemaReference(request), ...examples } };
  const schema = { type: 'object', properties: { file: image }, required: ['file'] };
  return { 'multipart/form-data': { schema, ...examples }, 'application/octet-stream': { schema: image } };
}

const file = (mediaType: string, what: string) => ({
  type: 'string',
  format: 'binary',
  contentMediaType: mediaType,
  description: what,
});

const image = file('image/*', 'JPEG, PNG, WebP or AVIF, at most 20 MB.');

function formSchema(): Json {
  const files = {
    file: {
      type: 'array',
      minItems: 1,
      maxItems: limits.files,
      items: image,
      description: `The images: up to ${limits.files} parts of this name.`,
    },
    uploadId: {
      type: 'array',
      minItems: 1,
      maxItems: limits.files,
      items: { type: 'string' },
      description: `Each stands for a file that was sent to POST /api/uploads before. With the parts file at most ${limits.files}, in the order sent.`,
    },
    watermarkFile: file('image/png', 'Put on every image; at most 5 MB and 16 megapixels. Paid plans only.'),
  };
  const { properties } = z.toJSONSchema(compressFields, { io: 'input' });
  const some = [{ required: ['file'] }, { required: ['uploadId'] }];
  return { type: 'object', properties: { ...files, ...properties }, anyOf: some };
}

/** All schemas of the contract that have an id, as what a client sends or may rely on: defaults make fields optional. */
function schemas(): Json {
  const all = z.toJSONSchema(z.globalRegistry, { io: 'input', uri: reference }).schemas;
  const plain = Object.entries(all).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]);
  return Object.fromEntries(plain);
}
