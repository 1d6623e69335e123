import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingNames } from '../../../scripts/start/settings.ts';
import { freePort } from './free-port.ts';

const root = join(import.meta.dirname, '../../..');
const START_WITHIN_MS = 110_000;

export const adminToken = 'conformance-admin-token-0123456789';
export const signingKey = 'conformance-signing-key-0123456789abcdef';
export const previousSigningKey = 'conformance-previous-key-0123456789abcdef';

const secrets = { ADMIN_TOKEN: adminToken, SIGNING_KEY: signingKey, SIGNING_KEY_PREVIOUS: previousSigningKey };

/** The environment without the service's own settings: whoever runs the tests may have some, and vitest sets BASE_URL. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !settingNames.some((setting) => setting === name)),
);

/** The service as a user starts it: `npm start` on a free port, with its state in a folder of its own. */
export class Server {
  readonly stateFolder: string;
  port = 0;
  /** What `npm start` has printed. */
  output = '';
  #child: ChildProcess | undefined;
  readonly #command: readonly string[];

  /** @param command what starts the service, and takes `--port` and `--persist-to` */
  constructor(stateFolder = mkdtempSync(join(tmpdir(), 'plume-state-')), command = ['npm', 'start', '--silent', '--']) {
    this.stateFolder = stateFolder;
    this.#command = command;
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  /** Starts the service and waits until it says that it runs. May be called again after it was stopped. */
  async start(settings: Record<string, string> = {}): Promise<this> {
    this.port = await freePort();
    this.output = '';
    const [program = '', ...args] = this.#command;
    const child = spawn(program, [...args, '--port', String(this.port), '--persist-to', this.stateFolder], {
      cwd: root,
      env: { ...environment, ...secrets, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    // A test run that is broken off must not leave the service behind.
    process.once('exit', () => child.exitCode ?? child.signalCode ?? this.killAll());
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    await this.#running(child);
    return this;
  }

  #running(child: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`npm start took too long:\n${this.output}`)), START_WITHIN_MS);
      const look = () => {
        if (!this.output.includes('Ctrl-C stops it.')) return;
        clearTimeout(timer);
        resolve();
      };
      child.stdout?.on('data', look);
      child.once('close', (code) => {
        clearTimeout(timer);
        reject(new Error(`npm start ended with ${code}:\n${this.output}`));
      });
    });
  }

  /** Ends the service as a user would; resolves with npm's exit code once all of it is gone. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child?.exitCode ?? null);
    return new Promise((resolve) => {
      child.once('close', (code) => resolve(code));
      child.kill(signal);
    });
  }

  /** Ends every process of the service at once, as a power cut would. */
  killAll(): void {
    for (const pid of this.processes()) killOne(pid);
    if (this.#child?.pid) killOne(this.#child.pid);
  }

  /** Every process of this service: those whose command line names its port, and all that they started. */
  processes(name = ''): number[] {
    const all = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
    const named = all.filter((pid) => this.#namesPort(commandLine(pid)));
    const own = new Set(named);
    for (let grown = -1; grown !== own.size; ) {
      grown = own.size;
      for (const pid of all) if (own.has(parentOf(pid))) own.add(pid);
    }
    return [...own].filter((pid) => commandLine(pid).includes(name)).map(Number);
  }

  #namesPort(line: string): boolean {
    return line.includes(`--port ${this.port} `) || line.includes(`=localhost:${this.port} `);
  }

  /** The runtimes that run the Worker: not wrangler's own in front, which holds the port and passes requests on. */
  runtimes(): number[] {
    return this.processes('workerd serve').filter((pid) => !this.#namesPort(commandLine(String(pid))));
  }

  /** Peak and present resident bytes of the runtime. */
  memory(): { peak: number; now: number } {
    const status = this.runtimes().map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'));
    if (status.length === 0) throw new Error('the runtime of the service was not found');
    const field = (name: string) =>
      Math.max(...status.map((text) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) * 1024));
    return { peak: field('VmHWM'), now: field('VmRSS') };
  }

  /** Stops the service and deletes its state. */
  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.stateFolder, { recursive: true, force: true });
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** The process that started another one; empty when that is gone (proc(5): the fields behind the name in parentheses). */
function parentOf(pid: string): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '';
  } catch {
    return '';
  }
}
