import { measureMatrix } from './memory/measure-matrix.ts';
import { measureLongSeries, measureSeries } from './memory/measure-series.ts';
import { measureServer } from './memory/measure-server.ts';
import { measureSimulators } from './memory/measure-simulators.ts';

/*
 * `npm run memory`: what jobs take of the machine's memory, with V8's limits set to an isolate's. Ends with 1 when the memory law
 * is broken.
 *
 *   npm run memory [part of a name]   every job of the matrix, each in a fresh process that runs the engine alone
 *   npm run memory -- --series        100 mixed jobs in one such process, of every size alike
 *   npm run memory -- --series 1000   so many in one such process, most of them small, and what grows
 *   npm run memory -- --server [part of a name]   the whole local service, whose simulators share the process
 *   npm run memory -- --server-series 100 mixed jobs through it
 *   npm run memory -- --simulators    what the simulators take without a line of the service
 */
const [mode = '', detail] = process.argv.slice(2);
const broken = await measure();
process.exitCode = broken === 0 ? 0 : 1;

function measure(): Promise<number> {
  switch (mode) {
    case '--series':
      return detail === undefined ? measureSeries() : measureLongSeries(Number(detail));
    case '--server':
      return measureServer(false, detail);
    case '--server-series':
      return measureServer(true);
    case '--simulators':
      return measureSimulators();
    default:
      return measureMatrix(mode);
  }
}
