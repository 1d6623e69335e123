import { runSoak } from './soak/run-soak.ts';
import { readSoakOptions } from './soak/soak-options.ts';

/*
 * `npm run soak -- --minutes 30`: a mixed load of 20 clients on the service in the fault shell, whose storage and database fail now and
 * then and whose lanes are aborted in the middle of a job. Ends with 1 when a charge was wrong, a request hung, an answer was not one of
 * the interface's, or memory grew. Options: scripts/soak/soak-options.ts.
 */
const violations = await runSoak(readSoakOptions(process.argv.slice(2)), (text) => console.log(text));
process.exitCode = violations === 0 ? 0 : 1;
