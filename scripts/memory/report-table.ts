const MEGABYTE = 1e6;

/** A line of a table: a wide first column, the others to the right. */
export function tableLine(first: string, ...columns: readonly string[]): string {
  return first.padEnd(38) + columns.map((column) => column.padStart(10)).join('');
}

/** Bytes in whole megabytes. */
export function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0);
}
