import { expect, test } from 'vitest';
import { runSoak } from '../scripts/soak/run-soak.ts';
import { readSoakOptions } from '../scripts/soak/soak-options.ts';

/**
 * The short form of `npm run soak`: what the long one shows in half an hour is looked for here in half a minute. Memory is not judged:
 * the runtime is still warming up.
 */
test('a mixed load while storage, database and objects fail: no wrong charge, no hang, no answer outside the interface', async () => {
  let table = '';
  const options = readSoakOptions(['--minutes', '0.6', '--clients', '8', '--kill-every', '12', '--seed', '5']);
  const violations = await runSoak(options, (text) => {
    table = text;
  });
  expect(violations, table).toBe(0);
}, 600_000);
