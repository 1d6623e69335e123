import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../conformance/support/server.ts';
import { ExampleRecorder } from './support/example-recorder.ts';
import { recordErrors } from './support/record-errors.ts';
import { recordOperations } from './support/record-operations.ts';
import { withoutChance } from './support/settled-example.ts';

const file = join(import.meta.dirname, '../../src/http/openapi-examples.json');
const server = new Server();

beforeAll(async () => {
  await server.start();
});
afterAll(() => server.dispose());

/** The story of one customer and one operator, told to a running service: what it answers is what the document shows. */
test('the examples of the OpenAPI document are what the service answers', async () => {
  const recorder = new ExampleRecorder(server.url);
  const story = await recordOperations(recorder);
  await recordErrors(recorder, story);
  const text = `${JSON.stringify(recorder.examples, null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN || !existsSync(file)) writeFileSync(file, text);
  const shown = JSON.parse(readFileSync(file, 'utf8'));
  const message = 'the interface changed: look at the difference, then run the test with UPDATE_GOLDEN=1';
  expect(withoutChance(JSON.parse(text)), message).toEqual(withoutChance(shown));
});
