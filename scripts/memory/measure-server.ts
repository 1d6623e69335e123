import { Client, type CompressAnswer, fields, file, watermark } from '../../test/conformance/support/client.ts';
import { paddedJpeg, paddedPng, scene } from '../../test/conformance/support/pictures.ts';
import { Server } from '../../test/conformance/support/server.ts';
import { V8_FLAGS } from '../engine/runtime.ts';
import { type MatrixJob, matrix, parameters } from './matrix.ts';
import { damagedSource, type MixedJob, mixedJobs } from './mixed-jobs.ts';
import { megabytes, tableLine } from './report-table.ts';
import { ResidentPeak } from './resident-peak.ts';
import { keptSource } from './run-job.ts';
import { mark } from './sources.ts';

const MIB = 1024 * 1024;
/** What the whole process may grow over idle, in bytes: the simulators of R2, D1 and Durable Objects share it. */
const LAW = { oneJob: 176e6, series: 224e6, atOnce: 240e6 };
/** Jobs of the matrix that are large in every way, and the commonest one. */
const picked = /^(12 MP jpeg → \w+ 1920|(24|100) MP \w+ → (webp|jpg) (full|rotated)|24 MP jpeg → \w+ watermark)$/;
/** Requests with a file that is no image, which no engine sees: what they leave is the simulators' and the service's around the engine. */
const NO_IMAGES = [
  { requests: 500, bytes: 20_000 },
  { requests: 100, bytes: Math.floor(19.9 * MIB) },
] as const;
/** Files of the batch that is sent at once. */
const AT_ONCE = 10;

/**
 * The same through the whole local service: single jobs and batches whose name contains `wanted`, each on a fresh server, or 100 mixed jobs
 * on one.
 * @returns how many measurements broke their law
 */
export async function measureServer(series: boolean, wanted = ''): Promise<number> {
  console.log(tableLine('megabytes', 'growth', 'law', 'after', 'seconds'));
  if (series) return await onServer(mixedJobs().map(mixedRun));
  let broken = 0;
  for (const run of singleRuns().filter(({ name }) => name.includes(wanted))) broken += await onServer([run]);
  return broken;
}

/** Carries runs out, one after the other, on a fresh server that has done a tiny job. @returns how many broke their law */
async function onServer(runs: Iterable<Run>): Promise<number> {
  const server = new Server();
  try {
    const settings = { MINIFLARE_WORKERD_V8_FLAGS: V8_FLAGS.join(' '), RATE_LIMIT_PER_MINUTE: '1000000' };
    await server.start(settings);
    const client = new Client(server);
    const { key } = await client.account('agency');
    await client.compress(key, [...fields({}), file(await scene(64, 64).png().toBuffer(), 'first.png')]);
    return await measureRuns(new ResidentPeak(server), runs, { client, key });
  } finally {
    await server.dispose();
  }
}

interface Account {
  readonly client: Client;
  readonly key: string;
}

interface Run {
  readonly name: string;
  readonly law: number;
  run(account: Account): Promise<string>;
}

async function measureRuns(resident: ResidentPeak, runs: Iterable<Run>, account: Account): Promise<number> {
  const idle = resident.now;
  let broken = 0;
  for (const { name, law, run } of runs) {
    resident.reset();
    const start = performance.now();
    const answer = await run(account);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const growth = resident.peak - idle;
    if (growth > law) broken++;
    console.log(`${tableLine(name, ...[growth, law, resident.now - idle].map(megabytes), seconds)}  ${answer}`);
  }
  return broken;
}

function singleRuns(): Run[] {
  const jobs = matrix().filter(({ name }) => picked.test(name));
  return [
    ...jobs.map((job) => ({
      name: job.name,
      law: LAW.oneJob,
      run: async (account: Account) => tell(await sendJob(account, job)),
    })),
    { name: `${AT_ONCE} × 24 MP at once → webp`, law: LAW.atOnce, run: sendAtOnce },
    { name: '20 files of 19.9 MB → webp, 100 wide', law: LAW.oneJob, run: sendLargest },
    ...NO_IMAGES.map(({ requests, bytes }) => ({
      name: `${requests} × ${bytes} bytes, no image`,
      law: LAW.oneJob,
      run: (account: Account) => sendNoImages(account, requests, bytes),
    })),
  ];
}

/** One of a series; of a damaged file no more is asked than an answer. */
function mixedRun({ job, damaged }: MixedJob): Run {
  const run = async (account: Account) => {
    if (!damaged) return tell(await sendJob(account, job));
    const { client, key } = account;
    const parts = [...fields({ format: job.format }), file(await damagedSource(job), 'picture')];
    return tell(await client.compress(key, parts));
  };
  return { name: job.name, law: LAW.series, run };
}

async function sendJob({ client, key }: Account, job: MatrixJob): Promise<CompressAnswer> {
  const picture = await keptSource(job.kind, job.megapixels, job.treatment === 'rotated');
  const marks = job.treatment === 'watermark' ? [watermark(await mark())] : [];
  return client.compress(key, [...fields(parameters(job)), ...marks, file(picture, 'picture')]);
}

/** Ten requests at the same time. */
async function sendAtOnce({ client, key }: Account): Promise<string> {
  const picture = await keptSource('jpeg', 24, false);
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      client.compress(key, [...fields({ format: 'webp' }), file(picture, 'a.jpg')]),
    ),
  );
  return answers.map(tell).join(' | ');
}

async function sendLargest({ client, key }: Account): Promise<string> {
  const bytes = Math.floor(19.9 * MIB);
  const picture = scene(320, 240);
  const jpeg = paddedJpeg(await picture.clone().jpeg().toBuffer(), bytes);
  const png = paddedPng(await picture.clone().png().toBuffer(), bytes);
  const files = Array.from({ length: 20 }, (_, n) => file(n % 2 === 0 ? jpeg : png, `${n}`));
  return tell(await client.compress(key, [...fields({ maxWidth: 100 }), ...files]));
}

/** One after the other. */
async function sendNoImages({ client, key }: Account, requests: number, bytes: number): Promise<string> {
  const text = Buffer.alloc(bytes, 'no image ');
  let last = '';
  for (let n = 0; n < requests; n++) last = tell(await client.compress(key, [...fields({}), file(text, 'picture')]));
  return last;
}

/** An answer in a few words. */
function tell({ status, text, data, failures }: CompressAnswer): string {
  if (status !== 200) return `${status} ${text}`;
  const kilobytes = Math.round(data.reduce((sum, { optimizedSize }) => sum + optimizedSize, 0) / 1000);
  const failed = failures.map(({ error, message }) => `${error}: ${message}`);
  return [`${data.length} done, ${kilobytes} kB`, ...failed].join('; ');
}
