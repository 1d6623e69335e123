import { copyFileSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Server } from './server.ts';

/** Keys under `staging/` in the simulator's bucket, read from its files: the service need not run. */
export function stagedObjects(server: Server): string[] {
  const rows = select(
    `${server.stateFolder}/v3/r2/**/*.sqlite`,
    '_mf_objects',
    "SELECT key FROM _mf_objects WHERE key LIKE 'staging/%'",
  );
  return rows.map((row) => String(row.key));
}

/** Compressions that the ledgers hold for batches that are not settled, read from their files. */
export function reservedCompressions(server: Server): number {
  const held = 'SELECT sum(compressions) AS held FROM reservations WHERE settled_at IS NULL';
  const rows = select(`${server.stateFolder}/v3/do/*AccountLedger/*.sqlite`, 'reservations', held);
  return rows.reduce((sum, row) => sum + Number(row.held ?? 0), 0);
}

/** Batches that their objects have written down, read from their files: from then on they go on without their request. */
export function begunBatches(server: Server): number {
  return select(`${server.stateFolder}/v3/do/*BatchRunner/*.sqlite`, 'batch', 'SELECT id FROM batch').length;
}

/** What a query finds in every database of the pattern that has the table. */
function select(pattern: string, table: string, query: string): Record<string, unknown>[] {
  return globSync(pattern).flatMap((path) => {
    const folder = mkdtempSync(join(tmpdir(), 'plume-copy-'));
    try {
      return selectFrom(copyOf(path, folder), table, query);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

/** A copy with its log: a second reader of the file itself would find it locked now and then, or lock the service out. */
function copyOf(path: string, folder: string): string {
  const copy = join(folder, 'copy.sqlite');
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  return copy;
}

function selectFrom(path: string, table: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path);
  try {
    const there = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?").get(table);
    return there ? database.prepare(query).all() : [];
  } finally {
    database.close();
  }
}
