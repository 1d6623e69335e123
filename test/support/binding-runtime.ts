import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWranglerConfig } from '../../scripts/wrangler-config.ts';
import type { Description } from '../../src/describe/description.ts';
import { freePort } from '../conformance/support/free-port.ts';
import type { BindingQuestion } from './binding-worker.ts';

const root = join(import.meta.dirname, '../..');

/** One workerd whose Worker has the runtime's own binding of Workers AI, with a server of the test's behind it. */
export class BindingRuntime {
  readonly #folder = mkdtempSync(join(tmpdir(), 'plume-binding-'));
  #child: ChildProcess | undefined;
  #url = '';

  /** @param model host and port of the server behind the binding */
  async start(model: string): Promise<this> {
    this.#bundle(model);
    const port = await freePort();
    this.#url = `http://127.0.0.1:${port}/`;
    const args = ['serve', 'config.capnp', '--socket-addr', `http=127.0.0.1:${port}`];
    const child = spawn(join(root, 'node_modules/workerd/bin/workerd'), args, { cwd: this.#folder, stdio: 'inherit' });
    this.#child = child;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`workerd ended with ${child.exitCode}`);
      const answer = await fetch(this.#url).catch(() => undefined);
      if (answer?.ok) return this;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async describe(question: BindingQuestion): Promise<Description> {
    const answer = await fetch(this.#url, { method: 'POST', body: JSON.stringify(question) });
    return (await answer.json()) as Description;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #bundle(model: string): void {
    const { compatibility_date: date } = readWranglerConfig(root);
    const main = join(root, 'test/support/binding-worker.ts');
    writeFileSync(
      join(this.#folder, 'wrangler.json'),
      JSON.stringify({ name: 'binding', main, compatibility_date: date }),
    );
    const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
    const args = [wrangler, 'deploy', '--dry-run', '--outdir', '.', '--config', 'wrangler.json'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: this.#folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the Worker could not be bundled:\n${stderr}`);
    writeFileSync(join(this.#folder, 'config.capnp'), configuration(model, date));
  }
}

function configuration(model: string, date: string): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "model", external = (address = ${JSON.stringify(model)}, http = ()))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "binding-worker.js")],
  compatibilityDate = ${JSON.stringify(date)},
  bindings = [(name = "AI", wrapped = (
    moduleName = "cloudflare-internal:ai-api",
    innerBindings = [(name = "fetcher", service = "model")]
  ))]
);
`;
}
