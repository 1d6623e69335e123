import { Client, type CompressAnswer, fields, file, watermark } from '../../test/conformance/support/client.ts';
import { paddedJpeg, paddedPng, scene } from '../../test/conformance/support/pictures.ts';
import { Server } from '../../test/conformance/support/server.ts';
import { V8_FLAGS } from '../engine/runtime.ts';
import { type MatrixJob, matrix, parameters } from './matrix.ts';
import { damagedSource, mixedJobs } from './mixed-jobs.ts';
import { megabytes, tableLine } from './report-table.ts';
import { ResidentPeak } from './resident-peak.ts';
import { keptSource } from './run-job.ts';
import { mark } from './sources.ts';

const MIB = 1024 * 1024;
/** What the whole process may grow over idle, in bytes: the simulators of R2, D1 and Durable Objects share it. */
const LAW = { oneJob: 176e6, series: 192e6, atOnce: 224e6 };
/** Jobs of the matrix that are large in every way, and the commonest one. */
const picked = /^(12 MP jpeg → \w+ 1920|(24|100) MP \w+ → (webp|jpg) (full|rotated)|24 MP jpeg → \w+ watermark)$/;
/** Files of the batch that is sent at once. */
const AT_ONCE = 10;

/** The same through the whole local service. @param series 100 mixed jobs in place of single ones @returns how many measurements broke their law */
export async function measureServer(series: boolean): Promise<number> {
  const server = new Server();
  try {
    const settings = { MINIFLARE_WORKERD_V8_FLAGS: V8_FLAGS.join(' '), RATE_LIMIT_PER_MINUTE: '1000000' };
    await server.start(settings);
    const client = new Client(server);
    const { key } = await client.account('agency');
    await client.compress(key, [...fields({}), file(await scene(64, 64).png().toBuffer(), 'first.png')]);
    return await measureRuns(new ResidentPeak(server), series ? seriesRuns(client, key) : runs(client, key));
  } finally {
    await server.dispose();
  }
}

interface Run {
  readonly name: string;
  readonly law: number;
  run(): Promise<string>;
}

async function measureRuns(resident: ResidentPeak, runs: Iterable<Run>): Promise<number> {
  const idle = resident.now;
  let broken = 0;
  console.log(`idle: ${megabytes(idle)} MB\n${tableLine('megabytes', 'growth', 'law', 'after', 'seconds')}`);
  for (const { name, law, run } of runs) {
    resident.reset();
    const start = performance.now();
    const answer = await run();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const growth = resident.peak - idle;
    if (growth > law) broken++;
    console.log(`${tableLine(name, ...[growth, law, resident.now - idle].map(megabytes), seconds)}  ${answer}`);
  }
  return broken;
}

function* runs(client: Client, key: string): Generator<Run> {
  for (const job of matrix().filter(({ name }) => picked.test(name))) {
    yield { name: job.name, law: LAW.oneJob, run: async () => tell(await sendJob(client, key, job)) };
  }
  yield { name: `${AT_ONCE} × 24 MP at once → webp`, law: LAW.atOnce, run: () => sendAtOnce(client, key) };
  yield { name: '20 files of 19.9 MB → webp, 100 wide', law: LAW.oneJob, run: () => sendLargest(client, key) };
}

/** 100 mixed jobs; of damaged files no more is asked than an answer. */
function* seriesRuns(client: Client, key: string): Generator<Run> {
  for (const { job, damaged } of mixedJobs()) {
    const send = async () => {
      if (!damaged) return sendJob(client, key, job);
      return client.compress(key, [...fields({ format: job.format }), file(await damagedSource(job), 'picture')]);
    };
    yield { name: job.name, law: LAW.series, run: async () => tell(await send()) };
  }
}

async function sendJob(client: Client, key: string, job: MatrixJob): Promise<CompressAnswer> {
  const picture = await keptSource(job.kind, job.megapixels, job.treatment === 'rotated');
  const marks = job.treatment === 'watermark' ? [watermark(await mark())] : [];
  return client.compress(key, [...fields(parameters(job)), ...marks, file(picture, 'picture')]);
}

/** Ten requests at the same time. */
async function sendAtOnce(client: Client, key: string): Promise<string> {
  const picture = await keptSource('jpeg', 24, false);
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      client.compress(key, [...fields({ format: 'webp' }), file(picture, 'a.jpg')]),
    ),
  );
  return answers.map(tell).join(' | ');
}

async function sendLargest(client: Client, key: string): Promise<string> {
  const bytes = Math.floor(19.9 * MIB);
  const picture = scene(320, 240);
  const jpeg = paddedJpeg(await picture.clone().jpeg().toBuffer(), bytes);
  const png = paddedPng(await picture.clone().png().toBuffer(), bytes);
  const files = Array.from({ length: 20 }, (_, n) => file(n % 2 === 0 ? jpeg : png, `${n}`));
  return tell(await client.compress(key, [...fields({ maxWidth: 100 }), ...files]));
}

/** An answer in a few words. */
function tell({ status, text, data, failures }: CompressAnswer): string {
  if (status !== 200) return `${status} ${text}`;
  const kilobytes = Math.round(data.reduce((sum, { optimizedSize }) => sum + optimizedSize, 0) / 1000);
  const failed = failures.map(({ error, message }) => `${error}: ${message}`);
  return [`${data.length} done, ${kilobytes} kB`, ...failed].join('; ');
}
