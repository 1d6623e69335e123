import type { Parameter } from './operation.ts';

/** The query of an address that was signed. */
export const signedParameters: readonly Parameter[] = [
  {
    name: 'expires',
    in: 'query',
    required: true,
    description: 'When the address ceases to work, in Unix seconds.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  {
    name: 'kid',
    in: 'query',
    description: 'Names the key that signed; absent in links from before there were such names.',
    schema: { type: 'string', pattern: '^[0-9a-f]{6}$' },
  },
  {
    name: 'signature',
    in: 'query',
    required: true,
    description: 'Over key, expiry and kid.',
    schema: { type: 'string' },
  },
];
