import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillTables } from './readme/fill-tables.ts';

/** Writes the tables of docs/api.md anew from the source they describe. `--check` only says whether they are stale. */
const page = join(import.meta.dirname, '../docs/api.md');
const present = readFileSync(page, 'utf8');
const filled = fillTables(present);
if (process.argv.includes('--check')) process.exitCode = filled === present ? 0 : 1;
else writeFileSync(page, filled);
