import { readFileSync } from 'node:fs';
import type { RunWrangler, WranglerAnswer } from '../../scripts/deploy/run-wrangler.ts';

export const databaseId = '11111111-2222-3333-4444-555555555555';
export const firstVersion = 'aaaaaaaa-0000-0000-0000-000000000001';
export const secondVersion = 'aaaaaaaa-0000-0000-0000-000000000002';
const imageBytes = new TextEncoder().encode('RIFF....WEBPVP8 ');

/** What a command says: its output, or its error when it fails. */
type Answer = [output: string | undefined, error?: string];

/** An account at Cloudflare as far as the deployment sees it: answers wrangler's commands, and requests to the service, from what it holds. */
export class ScriptedAccount {
  readonly commands: string[] = [];
  readonly secrets = new Map<string, string>();
  /** The jurisdiction of the bucket; `''` without one. */
  bucket: string | undefined;
  database: string | undefined;
  /** Names of lifecycle rules and the days after which they delete. */
  readonly rules = new Map<string, number>();
  /** Shares of the traffic, by version. */
  traffic = new Map<string, number>();
  uploads = 0;
  secretsFile = '';
  reachable = true;
  migrationPending = false;
  /** Commands that fail, by how they begin. */
  readonly failing = new Set<string>();
  /** What is wrong with a version once a request meets it: the path that it answers with 500. */
  readonly faults = new Map<string, string>();
  /** Whether requests are led to the version that the header names. */
  overrides = true;
  readonly requests: string[] = [];

  readonly wrangler: RunWrangler = (args) => {
    const command = args.join(' ');
    this.commands.push(command);
    const refused = [...this.failing].find((start) => command.startsWith(start));
    const [output, errors] = refused ? [undefined, 'Cloudflare says no.\n'] : this.#answer(args, command);
    const answer: WranglerAnswer = { ok: errors === undefined, output: output ?? '', errors: errors ?? '' };
    return answer.ok && /^(deploy|versions upload)/.test(command) ? { ...answer, versionId: this.#newest() } : answer;
  };

  readonly fetch = async (input: URL | RequestInfo, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(String(input));
    const headers = new Headers(init.headers);
    const version = this.#met(headers.get('Cloudflare-Workers-Version-Overrides') ?? '');
    this.requests.push(`${init.method ?? 'GET'} ${input} ${version}`);
    const fault = this.faults.get(version);
    if (fault !== undefined && pathname.startsWith(fault)) return Response.json({ error: 'broken' }, { status: 500 });
    return this.#serve(pathname, version, headers.get('authorization'));
  };

  #answer(args: readonly string[], command: string): Answer {
    if (command.startsWith('r2 bucket lifecycle')) return this.#lifecycle(args);
    if (command.startsWith('r2 bucket info')) {
      return this.bucket === jurisdictionIn(args) ? ['{}'] : [undefined, 'The bucket does not exist.'];
    }
    if (command.startsWith('r2 bucket create')) this.bucket = jurisdictionIn(args);
    if (command === 'd1 list --json')
      return [JSON.stringify(this.database === undefined ? [] : [{ name: 'plume', uuid: databaseId }])];
    if (command.startsWith('d1 create')) this.database = jurisdictionIn(args);
    if (command.startsWith('secret list')) return this.#listSecrets();
    if (command.startsWith('secret bulk')) this.#takeSecrets(args[2]!);
    if (command.startsWith('deployments status')) return this.#status();
    if (command.startsWith('versions upload')) return this.#upload(args);
    if (command.startsWith('versions deploy')) this.#share(args.filter((arg) => arg.includes('@')));
    if (command.startsWith('rollback')) this.traffic = new Map([[args[1]!, 100]]);
    if (args[0] === 'deploy') this.#deploy(args);
    const address = /^(deploy|triggers)/.test(command) ? 'https://plume.ada.workers.dev (1.2 sec)' : '';
    return [address];
  }

  #lifecycle(args: readonly string[]): Answer {
    if (args[3] === 'remove') this.rules.delete(args[args.indexOf('--name') + 1]!);
    if (args[3] === 'add') this.rules.set(args[5]!, Number(args[args.indexOf('--expire-days') + 1]));
    // As wrangler prints them.
    const printed = [...this.rules].map(([name, days]) => {
      const action = `Expire objects after ${days} days, Abort incomplete multipart uploads after 1 days`;
      return `name:     ${name}\nenabled:  Yes\nprefix:   x/\naction:   ${action}\n`;
    });
    return [printed.join('\n')];
  }

  #listSecrets(): Answer {
    if (!this.reachable) return [undefined, 'fetch failed\n'];
    if (this.traffic.size === 0) return [undefined, 'This Worker does not exist on your account. [code: 10007]'];
    return [JSON.stringify([...this.secrets.keys()].map((name) => ({ name, type: 'secret_text' })))];
  }

  #status(): Answer {
    if (this.traffic.size === 0) return [undefined, 'This Worker does not exist on your account. [code: 10007]'];
    const versions = [...this.traffic].map(([version_id, percentage]) => ({ version_id, percentage }));
    return [JSON.stringify({ id: 'd', versions })];
  }

  #upload(args: readonly string[]): Answer {
    if (this.migrationPending) return [undefined, 'This Worker has a pending Durable Object migration, which …'];
    this.uploads++;
    this.#handOver(args);
    return ['Uploaded plume'];
  }

  #deploy(args: readonly string[]): void {
    this.uploads++;
    this.migrationPending = false;
    this.traffic = new Map([[this.#newest(), 100]]);
    this.#handOver(args);
  }

  #newest(): string {
    return `aaaaaaaa-0000-0000-0000-00000000000${this.uploads}`;
  }

  #share(specs: readonly string[]): void {
    this.traffic = new Map(specs.map((spec) => [spec.split('@')[0]!, Number.parseInt(spec.split('@')[1]!, 10)]));
  }

  #handOver(args: readonly string[]): void {
    const at = args.indexOf('--secrets-file');
    if (at >= 0) this.#takeSecrets(args[at + 1]!);
  }

  #takeSecrets(file: string): void {
    this.secretsFile = file;
    for (const [name, value] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
      if (value === null) this.secrets.delete(name);
      else this.secrets.set(name, String(value));
    }
  }

  /** The version that a request meets: the one that its header names, if that is deployed, else the one with the traffic. */
  #met(header: string): string {
    const named = /^plume="(.+)"$/.exec(header)?.[1];
    if (this.overrides && named !== undefined && this.traffic.has(named)) return named;
    return [...this.traffic].find(([, share]) => share > 0)![0];
  }

  #serve(path: string, versionId: string, authorization: string | null): Response {
    if (path === '/health') return Response.json({ status: 'ok', version: '0', versionId });
    if (path === '/health/ready') return Response.json({ ready: true, checks: {} });
    if (path.startsWith('/d/')) return new Response(imageBytes);
    if (path === '/admin/accounts') return Response.json({ id: 'acc_1' }, { status: 201 });
    if (path === '/admin/accounts/acc_1/keys') return Response.json({ key: 'made-key' }, { status: 201 });
    if (authorization !== 'Bearer made-key') return Response.json({ error: 'Unauthorized' }, { status: 401 });
    const downloadUrl = 'https://plume.example/d/k/smoke-test.webp';
    return Response.json({ data: [{ optimizedSize: imageBytes.length, downloadUrl }] });
  }
}

function jurisdictionIn(args: readonly string[]): string {
  const at = args.indexOf('--jurisdiction');
  return at < 0 ? '' : args[at + 1]!;
}
