import { limits } from '../limits.ts';
import type { Parameter } from './operation.ts';

/** The query of a list in pages. */
export const pageParameters: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Entries of one page.',
    schema: { type: 'integer', minimum: 1, maximum: limits.longestPage, default: limits.pageSize },
  },
  { name: 'cursor', in: 'query', description: 'The `nextCursor` of the page before.', schema: { type: 'string' } },
];
