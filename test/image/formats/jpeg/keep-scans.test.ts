import { expect, test } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { keepScans } from '../../../../src/image/formats/jpeg/keep-scans.ts';
import { readScans } from '../../../../src/image/formats/jpeg/scans.ts';
import { fixtureFile, fixtures } from './fixtures.ts';

test.each([fixtures.baseline, fixtures.progressive, fixtures.cmyk])(
  'what is kept outlives the file (%#)',
  (fixture) => {
    const file = fixtureFile(fixture);
    const header = readJpegHeader(file);
    const { detail, ...rest } = keepScans(file, header);
    file.fill(0);
    const again = fixtureFile(fixture);
    expect(detail).toEqual({ ...header.detail, scans: readScans(again, header.detail) });
    expect({ ...rest, detail: header.detail }).toEqual(header);
  },
);

test('a file without the scans that it needs is refused', () => {
  const file = fixtureFile(fixtures.progressive);
  const header = readJpegHeader(file);
  const cut = file.subarray(0, header.detail.firstScan + 8);
  expect(() => keepScans(cut, header)).toThrow(FileError);
});
