import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Measured, measure } from './capacity/measure.ts';
import { capacityReport, fillReport } from './capacity/report.ts';

/*
 * npm run capacity                what the service takes at 1, 100 and 10,000 images a second, by simulation
 * npm run capacity -- --measure   measures service times and billed calls anew, first (Linux, some minutes)
 * npm run capacity -- --write     puts the tables into docs/operations.md
 */
const measuredFile = join(import.meta.dirname, 'capacity/measured.json');
const operations = join(import.meta.dirname, '../docs/operations.md');

const { values } = parseArgs({
  options: { measure: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});
if (values.measure) {
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(measuredFile, `${JSON.stringify(await measure(today), null, 2)}\n`);
}
const measured = JSON.parse(readFileSync(measuredFile, 'utf8')) as Measured;
const report = capacityReport(measured);
for (const text of Object.values(report)) process.stdout.write(`${text}\n`);
if (values.write) writeFileSync(operations, fillReport(readFileSync(operations, 'utf8'), report));
