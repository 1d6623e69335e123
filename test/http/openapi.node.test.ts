import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fileErrorCodes, type RequestErrorCode, requestErrorCodes } from '../../src/errors.ts';
import { errorAnswers } from '../../src/http/error-answers.ts';
import { openapi } from '../../src/http/openapi.ts';
import { answerExample, errorExamples, requestExample } from '../../src/http/openapi-examples.ts';
import { operations } from '../../src/http/operations.ts';
import { headingAnchor } from '../../src/http/reference/heading-anchor.ts';
import { llmsText } from '../../src/http/reference/llms-text.ts';
import { markdownReference } from '../../src/http/reference/markdown-reference.ts';

const golden = join(import.meta.dirname, 'openapi.golden.json');
/** A fixed version: a release must not change the golden file. */
const document = JSON.parse(JSON.stringify(openapi('0.0.0')));

test('the document is the golden one', () => {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN || !existsSync(golden)) writeFileSync(golden, text);
  const expected = readFileSync(golden, 'utf8');
  expect(text, 'the interface changed: look at the difference, then run the test with UPDATE_GOLDEN=1').toBe(expected);
});

test('every reference leads to something', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
  expect(references.length).toBeGreaterThan(20);
  for (const path of new Set(references)) {
    const target = path.split('/').reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], document);
    expect(target, path).toBeDefined();
  }
});

test('every component schema is used', () => {
  const text = JSON.stringify(document);
  const unused = Object.keys(document.components.schemas).filter((id) => !text.includes(`#/components/schemas/${id}"`));
  // The array in the header X-Failed-Files is of FileFailure, which the body refers to.
  expect(unused).toEqual([]);
});

test('operation ids are unique and each path parameter is declared', () => {
  const ids: string[] = [];
  for (const [path, item] of Object.entries<
    Record<string, { operationId: string; parameters: { in: string; name: string }[] }>
  >(document.paths)) {
    for (const operation of Object.values(item)) {
      ids.push(operation.operationId);
      const declared = operation.parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => `{${name}}`);
      expect(declared).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  }
  expect(new Set(ids).size).toBe(ids.length);
});

test('the fields of the compress form have their bounds and defaults', () => {
  const form = document.paths['/api/compress'].post.requestBody.content['multipart/form-data'].schema;
  const { properties, required } = form;
  expect(properties.quality).toMatchObject({ type: 'number', minimum: 40, maximum: 100, default: 82 });
  expect(properties.maxWidth).toMatchObject({ type: 'integer', minimum: 1, maximum: 16384 });
  expect(properties.language.enum).toHaveLength(15);
  expect(properties.sessionId).toMatchObject({ type: 'string', maxLength: 200 });
  expect(properties.file).toMatchObject({ type: 'array', minItems: 1, maxItems: 20 });
  expect(required).toEqual(['file']);
});

describe('examples', () => {
  const json = (body: unknown): body is z.ZodType => body instanceof z.ZodType;

  test('are there for every JSON body that is sent or answered, and are what the schema says', () => {
    for (const { operationId, request, success, events } of operations) {
      if (request !== undefined) expect(requestExample(operationId), `request of ${operationId}`).toBeDefined();
      if (json(request)) request.parse(requestExample(operationId));
      for (const [status, { body }] of Object.entries(success)) {
        if (!json(body)) continue;
        const example = answerExample(operationId, status);
        expect(body.parse(example), `${operationId} ${status}`).toEqual(example);
      }
      if (events === undefined) continue;
      const told = answerExample(operationId, 'events') as { event: string; data: unknown }[];
      expect(told.length, operationId).toBeGreaterThan(0);
      for (const { event, data } of told) expect(events[event]?.parse(data)).toEqual(data);
    }
  });

  test('are there for every error, with the text that it has on the wire', () => {
    expect(Object.keys(errorExamples).sort()).toEqual([...requestErrorCodes].sort());
    for (const [code, { error }] of Object.entries(errorExamples)) {
      const { text = code } = errorAnswers[code as RequestErrorCode];
      expect(error.startsWith(text.split('<name>')[0]!)).toBe(true);
    }
  });

  test('hold no secret that counts', () => {
    const keys = JSON.stringify(document).match(/plume_[\w-]{20,}/g) ?? [];
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).toMatch(/^plume_0+$/);
  });
});

test('every operation has one tag of the list, a summary without a full stop and a description with one', () => {
  const tagNames = document.tags.map(({ name }: { name: string }) => name);
  const summaries = new Set<string>();
  for (const { operationId, tag, summary, description } of operations) {
    expect(tagNames, operationId).toContain(tag);
    expect(summary, operationId).toMatch(/^[A-Z].*[^.]$/);
    expect(description, operationId).toMatch(/^[A-Z].*\.$/s);
    expect(summaries.has(summary), `${summary} is the heading of two calls`).toBe(false);
    summaries.add(summary);
  }
});

test('every schema, every property and every field of the form is described', () => {
  type Schema = {
    description?: string;
    $ref?: string;
    properties?: Record<string, Schema>;
    items?: Schema;
    anyOf?: Schema[];
  };
  const missing: string[] = [];
  const look = ({ properties = {}, items, anyOf = [] }: Schema, path: string) => {
    for (const [name, property] of Object.entries(properties)) {
      if (!property.description && !property.$ref) missing.push(`${path}.${name}`);
      look(property, `${path}.${name}`);
    }
    for (const inner of [...(items ? [items] : []), ...anyOf]) look(inner, path);
  };
  for (const [id, schema] of Object.entries<Schema>(document.components.schemas)) {
    if (!schema.description) missing.push(id);
    look(schema, id);
  }
  look(document.paths['/api/compress'].post.requestBody.content['multipart/form-data'].schema, 'form');
  expect(missing).toEqual([]);
});

describe('the texts that are made from the document', () => {
  const reference = markdownReference(document, 'https://plume.test');
  const guide = llmsText(document, 'https://plume.test');

  test('tell of every call', () => {
    for (const { method, path, summary } of operations) {
      expect(reference).toContain(`### ${summary}\n\n\`${method.toUpperCase()} ${path}\``);
      expect(guide).toContain(`\`${method.toUpperCase()} ${path}\``);
    }
  });

  test('lead to places that are there', () => {
    const anchors = new Set([...reference.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => headingAnchor(heading!)));
    const links = [...`${reference}${guide}`.matchAll(/\]\((?:https:\/\/plume\.test\/docs\.md)?#([^)]+)\)/g)];
    expect(links.length).toBeGreaterThan(50);
    for (const [, anchor] of links) expect(anchors, anchor).toContain(anchor);
  });

  test('have a command for each call of programs', () => {
    const commands = reference.match(/^curl /gm) ?? [];
    const programs = operations.filter(({ access }) => access === 'key' || access === 'admin' || access === 'open');
    expect(commands.length).toBe(programs.length);
  });
});

test('every error code of the interface is documented somewhere', () => {
  const text = JSON.stringify(document);
  const own: Record<string, string> = {
    too_many_files: 'Maximum 20 images allowed per batch',
    file_too_large: 'File .* exceeds the 20MB limit',
    unauthorized: 'Unauthorized',
  };
  for (const code of [...requestErrorCodes, ...fileErrorCodes]) expect(text).toContain(own[code] ?? code);
});
