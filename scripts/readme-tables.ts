import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillTables } from './readme/fill-tables.ts';

/** Writes the tables of README.md anew from the source they describe. `--check` only says whether they are stale. */
const readme = join(import.meta.dirname, '../README.md');
const present = readFileSync(readme, 'utf8');
const filled = fillTables(present);
if (process.argv.includes('--check')) process.exitCode = filled === present ? 0 : 1;
else writeFileSync(readme, filled);
