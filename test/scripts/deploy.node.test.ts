import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deploy } from '../../scripts/deploy/deploy.ts';
import type { RunWrangler } from '../../scripts/deploy/run-wrangler.ts';

const root = join(import.meta.dirname, '../..');
const databaseId = '11111111-2222-3333-4444-555555555555';

/** What a command says: its output, or its error when it fails. */
type Answer = [output: string | undefined, error?: string];

/** An account at Cloudflare as far as the deployment sees it: answers wrangler's commands from what it holds. */
class Account {
  readonly commands: string[] = [];
  readonly secrets = new Map<string, string>();
  bucket = false;
  database = false;
  rules: string[] = [];
  deployed = false;
  secretsFile = '';
  reachable = true;

  readonly wrangler: RunWrangler = (args) => {
    this.commands.push(args.join(' '));
    const [output, errors] = this.#answer(args);
    return { ok: errors === undefined, output: output ?? '', errors: errors ?? '' };
  };

  #answer(args: readonly string[]): Answer {
    const command = args.join(' ');
    if (command.startsWith('r2 bucket info')) return this.bucket ? ['{}'] : [undefined, 'The bucket does not exist.'];
    if (command.startsWith('r2 bucket create')) this.bucket = true;
    if (command.startsWith('r2 bucket lifecycle list')) return [this.rules.join('\n')];
    if (command.startsWith('r2 bucket lifecycle add')) this.rules.push(args[5]!);
    if (command === 'd1 list --json')
      return [JSON.stringify(this.database ? [{ name: 'plume', uuid: databaseId }] : [])];
    if (command.startsWith('d1 create')) this.database = true;
    if (command.startsWith('secret list')) return this.#listSecrets();
    if (args[0] === 'deploy') this.#deploy(args);
    return [''];
  }

  #listSecrets(): Answer {
    if (!this.reachable) return [undefined, 'fetch failed\n'];
    if (!this.deployed) return [undefined, 'This Worker does not exist on your account. [code: 10007]'];
    return [JSON.stringify([...this.secrets.keys()].map((name) => ({ name })))];
  }

  #deploy(args: readonly string[]): void {
    this.deployed = true;
    const at = args.indexOf('--secrets-file');
    if (at < 0) return;
    this.secretsFile = args[at + 1]!;
    for (const [name, value] of Object.entries(JSON.parse(readFileSync(this.secretsFile, 'utf8')))) {
      this.secrets.set(name, String(value));
    }
  }
}

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'plume-deploy-'));
  cpSync(join(root, 'wrangler.toml'), join(project, 'wrangler.toml'));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

async function run(account: Account, environment: Record<string, string> = {}): Promise<string> {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  await deploy({ root: project, environment, wrangler: account.wrangler, say, write: true });
  return said.join('\n');
}

describe('npm run deploy', () => {
  test('makes everything on an empty account and hands the secrets over in a file that is gone afterwards', async () => {
    const account = new Account();
    const said = await run(account);
    expect(account).toMatchObject({ bucket: true, database: true, deployed: true });
    expect(account.rules).toEqual(['plume-staging', 'plume-results']);
    expect([...account.secrets.keys()].sort()).toEqual(['ADMIN_TOKEN', 'SIGNING_KEY']);
    expect(said).toContain(account.secrets.get('ADMIN_TOKEN'));
    expect(said).not.toContain(account.secrets.get('SIGNING_KEY'));
    expect(account.commands.join('\n')).not.toContain(account.secrets.get('SIGNING_KEY'));
    expect(existsSync(account.secretsFile)).toBe(false);
  });

  test('makes nothing twice and leaves the secrets alone', async () => {
    const account = new Account();
    await run(account);
    const before = new Map(account.secrets);
    account.commands.length = 0;
    await run(account);
    expect(account.commands.filter((command) => /create|lifecycle add|secrets-file/.test(command))).toEqual([]);
    expect(account.secrets).toEqual(before);
  });

  test('uses a secret that the environment gives', async () => {
    const account = new Account();
    await run(account, { SIGNING_KEY: 'from the environment' });
    expect(account.secrets.get('SIGNING_KEY')).toBe('from the environment');
  });

  test('uploads the key of an AI server as a secret and its address as a setting', async () => {
    const ai = { AI_PROVIDER: 'openai', AI_BASE_URL: 'https://ai.example/v1', AI_MODEL: 'm', AI_API_KEY: 'sk-1' };
    const account = new Account();
    await run(account, ai);
    expect(account.secrets.get('AI_API_KEY')).toBe('sk-1');
    const written = readFileSync(join(project, 'build/wrangler.json'), 'utf8');
    expect(JSON.parse(written).vars).toMatchObject({ AI_PROVIDER: 'openai', AI_BASE_URL: 'https://ai.example/v1' });
    expect(JSON.parse(written).ai).toMatchObject({ binding: 'AI' });
    expect(written).not.toContain('sk-1');
  });

  test('stops before anything is made when a setting is wrong', async () => {
    const account = new Account();
    await expect(run(account, { AI_PROVIDER: 'openai' })).rejects.toThrow(/^AI_BASE_URL must be set/);
    expect(account.commands).toEqual([]);
  });

  test('never replaces secrets because the list could not be had', async () => {
    const account = new Account();
    await run(account);
    const before = new Map(account.secrets);
    account.reachable = false;
    await expect(run(account)).rejects.toThrow(/secrets could not be listed/);
    expect(account.secrets).toEqual(before);
  });

  test('writes a configuration with the own database, the settings of the environment and no secret', async () => {
    await run(new Account(), { DOWNLOAD_TTL_SECONDS: '60', ADMIN_TOKEN: 'not in a file' });
    const text = readFileSync(join(project, 'build/wrangler.json'), 'utf8');
    const config = JSON.parse(text);
    expect(config.d1_databases[0]).toMatchObject({
      database_id: databaseId,
      migrations_dir: '../src/database/migrations',
    });
    expect(config.main).toBe('../src/index.ts');
    expect(config.vars.DOWNLOAD_TTL_SECONDS).toBe('60');
    expect(text).not.toContain('not in a file');
  });

  test('a dry run prints the commands in order and touches nothing', () => {
    // vitest sets BASE_URL, which is a setting of the service.
    const { BASE_URL: _, ...env } = process.env;
    const args = [join(root, 'scripts/deploy.ts'), '--dry-run'];
    const out = execFileSync(process.execPath, args, { encoding: 'utf8', env });
    const commands = out.split('\n').filter((line) => line.startsWith('$ '));
    const expected = [
      'npm test',
      'whoami',
      'r2 bucket info',
      'r2 bucket create',
      'lifecycle list',
      'lifecycle add plume plume-staging',
    ].concat([
      'lifecycle add plume plume-results',
      'd1 list',
      'd1 create',
      'migrations apply',
      'secret list',
      'deploy --config',
    ]);
    expect(commands.length).toBe(expected.length);
    for (const [index, part] of expected.entries()) expect(commands[index]).toContain(part);
  });
});
