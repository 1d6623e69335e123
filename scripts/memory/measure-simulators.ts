import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unstable_startWorker as startWorker } from 'wrangler';
import { freePort } from '../../test/conformance/support/free-port.ts';
import { V8_FLAGS } from '../engine/runtime.ts';
import { readWranglerConfig } from '../wrangler-config.ts';
import { megabytes, tableLine } from './report-table.ts';

const MIB = 1024 * 1024;
/** Bytes of an object: an upload is staged in such segments. */
const SEGMENT = 2 * MIB;
/** Uploads that do nothing but pass through storage. */
const RUNS = [
  { uploads: 500, bytes: 20_000 },
  { uploads: 100, bytes: Math.floor(19.9 * MIB) },
] as const;

/** A Worker without a line of the service: writes an upload to R2 in segments, reads and deletes it, asks D1 and a Durable Object. */
const SCRIPT = `
import { DurableObject } from 'cloudflare:workers';
export class Counter extends DurableObject {
  add() {
    this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS counts (n INTEGER)');
    this.ctx.storage.sql.exec('INSERT INTO counts VALUES (1)');
  }
}
export default {
  async fetch(request, { BUCKET, DB, COUNTER }) {
    const bytes = Number(new URL(request.url).searchParams.get('bytes'));
    const counter = COUNTER.get(COUNTER.idFromName('one'));
    await counter.add();
    await DB.prepare('SELECT 1').first();
    const keys = [];
    for (let at = 0; at < bytes; at += ${SEGMENT}) {
      const segment = new Uint8Array(Math.min(${SEGMENT}, bytes - at));
      keys.push('upload/' + at);
      await BUCKET.put(keys.at(-1), segment);
      segment.buffer.transfer(0);
    }
    for (const key of keys) await (await BUCKET.get(key)).body.pipeTo(new WritableStream());
    await BUCKET.delete(keys);
    await counter.add();
    return new Response('done');
  },
};`;

const root = join(import.meta.dirname, '../..');

/**
 * What the simulators of R2, D1 and Durable Objects take of the process that they share with the service, by uploads that no line of the
 * service has seen: the share of `measureServer` that is not ours.
 */
export async function measureSimulators(): Promise<number> {
  process.env.MINIFLARE_WORKERD_V8_FLAGS = V8_FLAGS.join(' ');
  console.log(tableLine('megabytes', 'growth', 'after'));
  for (const { uploads, bytes } of RUNS) {
    const folder = mkdtempSync(join(tmpdir(), 'plume-simulators-'));
    const port = await freePort();
    const worker = await startWorker({
      config: writeConfig(folder),
      dev: { server: { port }, inspector: false, persist: join(folder, 'state'), logLevel: 'none' },
    });
    const upload = async (length: number) => {
      const answer = await worker.fetch(`http://localhost/?bytes=${length}`);
      if ((await answer.text()) !== 'done') throw new Error('the simulators failed');
    };
    try {
      await upload(100);
      const idle = resident(port).now;
      for (let n = 0; n < uploads; n++) await upload(bytes);
      const { peak, now } = resident(port);
      console.log(tableLine(`${uploads} × ${bytes} bytes`, megabytes(peak - idle), megabytes(now - idle)));
    } finally {
      await worker.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return 0;
}

/** @returns the path of a configuration of the Worker with its simulators */
function writeConfig(folder: string): string {
  const { compatibility_date } = readWranglerConfig(root);
  writeFileSync(join(folder, 'worker.js'), SCRIPT);
  const path = join(folder, 'wrangler.json');
  const config = {
    ...{ name: 'simulators', main: 'worker.js', compatibility_date },
    r2_buckets: [{ binding: 'BUCKET', bucket_name: 'bucket' }],
    d1_databases: [{ binding: 'DB', database_name: 'db', database_id: 'db' }],
    durable_objects: { bindings: [{ name: 'COUNTER', class_name: 'Counter' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Counter'] }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/** Peak and present resident bytes of the runtime that this process started, not of the one in front of it, which has the port (Linux only). */
function resident(port: number): { readonly peak: number; readonly now: number } {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  const commands = children.map((pid) => ({ pid, line: readFileSync(`/proc/${pid}/cmdline`, 'latin1') }));
  const runtime = commands.find(({ line }) => line.includes('workerd') && !line.includes(`localhost:${port}`));
  if (runtime === undefined) throw new Error('the runtime was not found');
  const status = readFileSync(`/proc/${runtime.pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
  return { peak: field('VmHWM'), now: field('VmRSS') };
}
