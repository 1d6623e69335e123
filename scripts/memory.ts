import { Client } from '../test/conformance/support/client.ts';
import { Server } from '../test/conformance/support/server.ts';
import { memoryJobs } from './memory/memory-jobs.ts';
import { ResidentPeak } from './memory/resident-peak.ts';

/**
 * `npm run memory`: what the standard jobs take of the machine's memory. The server runs with V8's own limits set to an isolate's
 * (a 128 MB heap, WebAssembly memories of at most 96 MiB), because the local runtime enforces none; what is printed is
 * the peak resident memory of the whole runtime, simulators of R2 and D1 included, over that of the idle server.
 */
const V8_FLAGS = '--wasm-max-mem-pages=1536 --max-old-space-size=128';
const MIB = 1024 * 1024;

const started = performance.now();
const server = new Server();
try {
  await server.start({ MINIFLARE_WORKERD_V8_FLAGS: V8_FLAGS, RATE_LIMIT_PER_MINUTE: '1000000' });
  const client = new Client(server);
  const { key } = await client.account('agency');
  const resident = new ResidentPeak(server);
  const idle = resident.now;
  console.log(`idle server: ${mebibytes(idle)} MiB resident\n`);
  console.log(row('job', 'peak MiB', 'over idle', 'after MiB', 'seconds', 'answer'));
  for await (const job of memoryJobs(client, key)) {
    resident.reset();
    const start = performance.now();
    const answer = await job.run();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const { peak, now } = resident;
    console.log(row(job.name, mebibytes(peak), mebibytes(peak - idle), mebibytes(now), seconds, answer));
  }
  console.log(`\nhighest of all: ${mebibytes(resident.highest)} MiB, ${mebibytes(resident.highest - idle)} over idle`);
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} s in all`);
} finally {
  await server.dispose();
}

function mebibytes(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}

function row(job: string, ...columns: readonly string[]): string {
  const [peak = '', over = '', after = '', seconds = '', answer = ''] = columns;
  return [
    job.padEnd(44),
    peak.padStart(9),
    over.padStart(10),
    after.padStart(10),
    seconds.padStart(8),
    ` ${answer}`,
  ].join('');
}
