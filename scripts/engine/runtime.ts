import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallPng } from '../../test/support/small-png.ts';
import { readWranglerConfig } from '../wrangler-config.ts';
import { EngineFiles } from './engine-files.ts';
import type { EngineReport } from './report.ts';

const root = join(import.meta.dirname, '../..');

/**
 * V8's own limits, set to an isolate's, because the local runtime enforces none: WebAssembly memories of at most 96 MiB, a heap of
 * at most 128 MB.
 */
export const V8_FLAGS = ['--wasm-max-mem-pages=1536', '--max-old-space-size=128'] as const;
/** Tells the system to forget a process's peak (proc(5), `/proc/pid/clear_refs`). */
const RESET_PEAK = '5';

/** One workerd that runs the engine's Worker and nothing else. Linux only: memory is read from /proc. */
export class EngineRuntime {
  static #bundle: string | undefined;
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #files: EngineFiles;
  #jobs = 0;
  readonly #kill = () => void this.#child.kill('SIGKILL');

  private constructor(child: ChildProcess, port: number, files: EngineFiles) {
    this.#child = child;
    this.#port = port;
    this.#files = files;
  }

  /**
   * Starts a fresh process and waits until it has done a tiny job: what the runtime itself loads of its own program for its first
   * job is no growth of that job.
   */
  static async start(): Promise<EngineRuntime> {
    const folder = EngineRuntime.#bundled();
    const port = await freePort();
    const files = await EngineFiles.serve();
    const args = [
      'serve',
      'config.capnp',
      '--socket-addr',
      `http=127.0.0.1:${port}`,
      '--external-addr',
      `files=127.0.0.1:${files.port}`,
    ];
    const child = spawn(join(root, 'node_modules/workerd/bin/workerd'), args, { cwd: folder, stdio: 'inherit' });
    const runtime = new EngineRuntime(child, port, files);
    process.once('exit', runtime.#kill);
    for (;;) {
      if (child.exitCode !== null) throw new Error(`workerd ended with ${child.exitCode}`);
      const answer = await fetch(runtime.#url).catch(() => undefined);
      if (answer?.ok) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await runtime.run(smallPng(64, 64), { format: 'webp' });
    return runtime;
  }

  /** The Worker and its modules as wrangler deploys them, with a configuration for workerd. Made once a process. */
  static #bundled(): string {
    if (EngineRuntime.#bundle !== undefined) return EngineRuntime.#bundle;
    const folder = mkdtempSync(join(tmpdir(), 'plume-engine-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const { compatibility_date: date } = readWranglerConfig(root);
    const config = { name: 'engine', main: join(root, 'scripts/engine/worker.ts'), compatibility_date: date };
    writeFileSync(join(folder, 'wrangler.json'), JSON.stringify(config));
    const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
    const args = [wrangler, 'deploy', '--dry-run', '--outdir', folder, '--config', join(folder, 'wrangler.json')];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the engine could not be bundled:\n${stderr}`);
    writeFileSync(join(folder, 'config.capnp'), configuration(folder, date));
    EngineRuntime.#bundle = folder;
    return folder;
  }

  get #url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** Runs one job; several may be on their way. @param mark a watermark's PNG */
  async run(
    picture: Uint8Array,
    options: Record<string, string | number>,
    mark?: Uint8Array,
  ): Promise<{ report: EngineReport; result: Uint8Array }> {
    const job = String(this.#jobs++);
    const query = new URLSearchParams(Object.entries(options).map(([name, value]) => [name, String(value)]));
    query.set('job', job);
    query.set('size', String(picture.length));
    if (mark) query.set('markBytes', String(mark.length));
    this.#files.offer(job, picture, mark);
    const result = await post(`${this.#url}?${query}`);
    this.#files.withdraw(job);
    const report = (await (await fetch(`${this.#url}?job=${job}`)).json()) as EngineReport;
    return { report, result };
  }

  /** Of the process that runs the engine. */
  get pid(): number {
    return this.#child.pid!;
  }

  /** Peak resident bytes since the start or the last `resetPeak`, and those of now. */
  get memory(): { readonly peak: number; readonly now: number } {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
    return { peak: field('VmHWM'), now: field('VmRSS') };
  }

  resetPeak(): void {
    writeFileSync(`/proc/${this.#child.pid}/clear_refs`, RESET_PEAK);
  }

  stop(): void {
    process.off('exit', this.#kill);
    this.#kill();
    this.#files.stop();
  }
}

function configuration(folder: string, date: string): string {
  const modules = readdirSync(folder)
    .filter((name) => name.endsWith('.wasm'))
    .map((name) => `(name = ${JSON.stringify(`./${name}`)}, wasm = embed ${JSON.stringify(name)})`);
  const flags = V8_FLAGS.map((flag) => JSON.stringify(flag));
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "engine", worker = .engine), (name = "files", external = (address = "127.0.0.1:0", http = ()))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "engine")],
  v8Flags = [${flags.join(', ')}]
);
const engine :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), ${modules.join(', ')}],
  bindings = [(name = "FILES", service = "files")],
  compatibilityDate = ${JSON.stringify(date)}
);
`;
}

/** With as much time as it takes: `fetch` gives up after five minutes without a byte, which AVIF of 100 megapixels needs on a busy machine. */
function post(url: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST' }, async (answer) => {
      try {
        resolve(new Uint8Array(Buffer.concat(await answer.toArray())));
      } catch (error) {
        reject(error);
      }
    });
    sent.once('error', reject).end();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
