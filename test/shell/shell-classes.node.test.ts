import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSourceFiles } from '../support/source-file.ts';

const root = join(import.meta.dirname, '../..');

/** Names that a file passes on from elsewhere or declares: the classes that the runtime finds in the entry. */
function exported(path: string, folder: string): string[] {
  const entry = readSourceFiles(root, folder).find((file) => file.path === path);
  return entry?.exports.filter((name) => /^[A-Z]/.test(name)) ?? [];
}

test('the shell has every Durable Object class of the Worker', () => {
  const worker = exported('src/index.ts', 'src');
  expect(worker).toContain('CodecLane');
  expect(exported('test/shell/worker.ts', 'test')).toEqual(expect.arrayContaining(worker));
});
