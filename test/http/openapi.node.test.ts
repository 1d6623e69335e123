import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileErrorCodes, requestErrorCodes } from '../../src/errors.ts';
import { openapi } from '../../src/http/openapi.ts';

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
  const { properties, anyOf } = form;
  expect(properties.quality).toMatchObject({ type: 'number', minimum: 40, maximum: 100, default: 82 });
  expect(properties.maxWidth).toMatchObject({ type: 'integer', minimum: 1, maximum: 16384 });
  expect(properties.language.enum).toHaveLength(15);
  expect(properties.sessionId).toMatchObject({ type: 'string', maxLength: 200 });
  expect(properties.file).toMatchObject({ type: 'array', minItems: 1, maxItems: 20 });
  expect(properties.uploadId).toMatchObject({ type: 'array', maxItems: 20 });
  expect(anyOf).toEqual([{ required: ['file'] }, { required: ['uploadId'] }]);
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
