import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { costOf } from '../../../scripts/capacity/cost.ts';
import measured from '../../../scripts/capacity/measured.json' with { type: 'json' };
import { capacityReport, fillReport } from '../../../scripts/capacity/report.ts';
import { kinds } from '../../../scripts/capacity/workload.ts';
import { readSettings } from '../../../src/settings.ts';

const operations = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

describe('docs/operations.md', () => {
  test('has the tables of the model as it is (else: npm run capacity -- --write)', { timeout: 180_000 }, () => {
    expect(operations).toBe(fillReport(operations, capacityReport(measured)));
  });

  test('without the markers of a table is refused', () => {
    expect(() => fillReport('# Operations\n', { capacity: '', lanes: '', cost: '' })).toThrow('capacity');
  });
});

test('what 1,000 images cost is 1,000 times what one takes, at the price list', () => {
  const cost = costOf({
    name: 'x',
    bytesIn: 0,
    bytesOut: 1e6,
    engineSeconds: 1,
    units: {
      requests: 2,
      cpuMs: 1000,
      objectCalls: 10,
      objectGbSeconds: 1,
      rowsWritten: 20,
      classA: 2,
      classB: 3,
      logBytes: 1000,
    },
  });
  expect(cost).toMatchObject({
    requests: expect.closeTo(0.0006),
    cpuMs: expect.closeTo(0.02),
    objectCalls: expect.closeTo(0.0015),
    objectGbSeconds: expect.closeTo(0.0125),
    rowsWritten: expect.closeTo(0.02),
    classA: expect.closeTo(0.009),
    classB: expect.closeTo(0.00108),
  });
});

test('the mix of images is whole, and all of it was measured', () => {
  expect(kinds.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  expect(measured.kinds.map(({ name }) => name)).toEqual(kinds.map(({ name }) => name));
});

test('wrangler.toml has the lanes that the code has by default', () => {
  const toml = readFileSync(join(import.meta.dirname, '../../../wrangler.toml'), 'utf8');
  expect(toml).toContain(`LANES = "${readSettings({}).lanes}"`);
});
