import { describe, expect, test } from 'vitest';
import { fileErrorCodes } from '../../src/errors.ts';
import type { FileFailure } from '../../src/http/contract.ts';
import { failedFilesHeader } from '../../src/http/failed-files-header.ts';

const failure = (index: number, name: string, message = 'It is cut off.'): FileFailure => ({
  index,
  name,
  error: 'broken_image',
  message,
});

function read(failures: readonly FileFailure[]): FileFailure[] {
  const value = failedFilesHeader(failures)!;
  // What a header may hold and every client can read (RFC 9110, 5.5).
  expect(value).toMatch(/^[\x21-\x7e]+$/);
  return JSON.parse(decodeURIComponent(value)) as FileFailure[];
}

test('nothing failed: no header', () => {
  expect(failedFilesHeader([])).toBeUndefined();
});

test('what failed is told as it is, in any script', () => {
  const failures = [failure(0, 'a,b "c" %41.jpg'), failure(7, '写真 🏔.png', 'Naïve\r\nX-Injected: 1')];
  expect(read(failures)).toEqual(failures);
});

test('a name that is no valid Unicode does not break the answer', () => {
  expect(read([failure(0, 'a\ud800b.png')])[0]!.name).toBe('a\ufffdb.png');
});

describe('twenty failures', () => {
  test.each([
    ['of usual names are told whole', 'holiday-2026-beach.jpeg', 'The picture is cut off. Send the whole file.', true],
    ['with long names are shortened', 'x'.repeat(200), 'm'.repeat(300), false],
    ['in a script of four bytes a character are shortened', '🏔'.repeat(2000), '🏔'.repeat(500), false],
    ['full of what JSON escapes are shortened', '\u0000"\\'.repeat(700), '\u0001'.repeat(900), false],
  ])('%s', (_, name, message, whole) => {
    const failures = Array.from({ length: 20 }, (_, index) => ({
      ...failure(index, name, message),
      error: fileErrorCodes[index % fileErrorCodes.length]!,
    }));
    expect(failedFilesHeader(failures)!.length).toBeLessThanOrEqual(8000);
    const told = read(failures);
    expect(told.map(({ index, error }) => ({ index, error }))).toEqual(
      failures.map(({ index, error }) => ({ index, error })),
    );
    for (const { name: cut } of told) expect(cut.endsWith('…') ? name : cut).toContain(cut.replace(/…$/, ''));
    expect(told.every(({ name: cut }) => cut.length > 0)).toBe(true);
    if (whole) expect(told).toEqual(failures);
    else expect(told[0]!.message.endsWith('…')).toBe(true);
  });
});
