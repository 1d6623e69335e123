import { GROUP_ROWS } from './turn-layout.ts';

/**
 * Rows of the group that source row `row` of `rows` completes; 0 where it completes none. Groups have `GROUP_ROWS` rows, counted from the
 * end that becomes the upright picture's first row or column (`reversed`: the last source row), so that every block of
 * chroma lies within one group.
 */
export function groupEnding(row: number, rows: number, reversed: boolean): number {
  const first = Math.min(rows, reversed ? rows % GROUP_ROWS || GROUP_ROWS : GROUP_ROWS);
  const behind = row + 1 - first;
  if (behind < 0) return 0;
  if (behind === 0) return first;
  const part = behind % GROUP_ROWS;
  if (part === 0) return GROUP_ROWS;
  return row + 1 === rows ? part : 0;
}
