/** In the name of the table in which the simulator keeps the names of objects; the platform has none. */
const SIMULATORS_OWN = '__miniflare';

/**
 * Tells of every row that an object writes from now on, as the platform's bill has them: those of SQL with their indexes, and one for each alarm
 * and each key. The object wants its real storage, so the methods are wrapped in place.
 */
export function countRows(storage: DurableObjectStorage, wrote: (rows: number) => void): void {
  const { sql } = storage;
  const exec = sql.exec.bind(sql);
  const counting: SqlStorage['exec'] = (query, ...bindings) => {
    const cursor = exec(query, ...bindings);
    if (!query.includes(SIMULATORS_OWN)) wrote(cursor.rowsWritten);
    return cursor as never;
  };
  Object.defineProperty(sql, 'exec', { value: counting });
  for (const method of ['setAlarm', 'put', 'delete'] as const) {
    const real = storage[method].bind(storage) as (...args: unknown[]) => unknown;
    const once = (...args: unknown[]) => {
      wrote(1);
      return real(...args);
    };
    Object.defineProperty(storage, method, { value: once });
  }
}
