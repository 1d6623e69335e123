import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { errorLines } from './error-lines.ts';
import { wranglerEnvironment, wranglerProgram } from './wrangler.ts';

const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 5000;
/** After an error in the build nothing comes up by itself: how long to wait for more of what it has to say. */
const ERROR_GRACE_MS = 5000;

export interface DevServerOptions {
  readonly root: string;
  readonly stateFolder: string;
  readonly port: number;
  readonly settingsFile: string;
  /** Another configuration than `wrangler.toml`. */
  readonly config?: string;
}

/** The Worker on this machine: `wrangler dev --local` as a process group of its own. */
export class DevServer {
  readonly url: string;
  readonly logFile: string;
  /** Resolves with the exit code once the server is gone. */
  readonly exited: Promise<number | null>;
  stopping = false;
  readonly #options: DevServerOptions;
  #child: ChildProcess | undefined;
  #gone: (code: number | null) => void = () => {};
  #failedAt: number | undefined;

  constructor(options: DevServerOptions) {
    this.#options = options;
    this.url = `http://localhost:${options.port}`;
    this.logFile = join(options.stateFolder, 'server.log');
    this.exited = new Promise((resolve) => {
      this.#gone = resolve;
    });
  }

  start(): void {
    const { root, stateFolder, port, settingsFile, config } = this.#options;
    const guard = join(import.meta.dirname, 'exit-with-starter.ts');
    const child = spawn(
      process.execPath,
      ['--no-warnings', '--import', guard, wranglerProgram(root), 'dev', '--local', '--port', String(port)].concat(
        ['--ip', 'localhost', '--inspector-port', '0', '--persist-to', stateFolder, '--env-file', settingsFile],
        ['--show-interactive-dev-session=false', ...(config === undefined ? [] : ['--config', config])],
      ),
      {
        cwd: root,
        env: wranglerEnvironment(stateFolder),
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        detached: true,
      },
    );
    this.#child = child;
    this.#keepLog(child.stdout as Readable, child.stderr as Readable);
    child.once('exit', (code) => {
      this.kill();
      this.#gone(code);
    });
  }

  #keepLog(output: Readable, errors: Readable): void {
    const log = createWriteStream(this.logFile, { flags: 'a', mode: 0o600 });
    output.pipe(log, { end: false });
    errors.pipe(log, { end: false });
    const show = (line: string) => {
      this.#failedAt ??= Date.now();
      if (!this.stopping) process.stderr.write(`${line}\n`);
    };
    // Errors of the Worker come on the one stream, errors of the build on the other.
    for (const stream of [output, errors]) stream.setEncoding('utf8').on('data', errorLines(show));
  }

  /** Resolves when the server answers. @throws Error when it ends or does not answer in time */
  async ready(): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    let over = false;
    this.exited.then(() => {
      over = true;
    });
    while (!over && Date.now() < deadline) {
      if (await this.#healthy()) return;
      if (this.#failedAt !== undefined && Date.now() > this.#failedAt + ERROR_GRACE_MS) break;
      await delay(150);
    }
    throw new Error(`The server did not come up. Its log: ${this.logFile}`);
  }

  async #healthy(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/health`, { signal: AbortSignal.timeout(5000) })).ok;
    } catch {
      return false;
    }
  }

  /** Runs the Worker's scheduled handler, as the platform's cron would. */
  async runScheduled(): Promise<void> {
    try {
      await fetch(`${this.url}/cdn-cgi/handler/scheduled`, { signal: AbortSignal.timeout(60_000) });
    } catch {
      // The next turn comes by itself; a server that is gone is reported where its exit is seen.
    }
  }

  /** Asks the server to stop and resolves when nothing of it is left. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.#child?.kill('SIGTERM');
    await Promise.race([this.exited, delay(STOP_WITHIN_MS)]);
    this.kill();
  }

  /** Ends whatever is left of the server's process group at once. */
  kill(): void {
    const group = this.#child?.pid;
    if (group === undefined) return;
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
  }
}
