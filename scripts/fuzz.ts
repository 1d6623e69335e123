import { isFormatId, runFuzz } from './fuzz/run-fuzz.ts';

/*
 * `npm run fuzz -- [format] [count] [seed]`: changed files of a format (all four if none is given) through the whole engine.
 * Every job must end with a picture that others can read or with a clear refusal, within its plan, and leave nothing behind. Ends
 * with 1 when one did not; `npm run fuzz -- <format> 1 <seed>` runs that one again.
 */
const [format, count = '1000', seed = '0'] = process.argv.slice(2);
if (format !== undefined && !isFormatId(format)) throw new RangeError(`no format is called ${format}`);
const defects = await runFuzz(format, Number(count), Number(seed));
process.exitCode = defects === 0 ? 0 : 1;
