import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deploy } from '../../scripts/deploy/deploy.ts';
import { versionIn } from '../../scripts/deploy/wrangler.ts';
import { settingNames } from '../../scripts/start/settings.ts';
import { readWranglerConfig } from '../../scripts/wrangler-config.ts';
import { limits } from '../../src/limits.ts';
import { databaseId, firstVersion, ScriptedAccount, secondVersion } from '../support/scripted-account.ts';

const root = join(import.meta.dirname, '../..');

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'plume-deploy-'));
  cpSync(join(root, 'wrangler.toml'), join(project, 'wrangler.toml'));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

/** What a run said. Waiting takes no time. */
async function run(account: ScriptedAccount, environment: Record<string, string> = {}, smokeKey?: string) {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const { wrangler, fetch } = account;
  const pause = async () => {};
  await deploy({ root: project, environment, wrangler, say, write: true, smokeKey, fetch, pause });
  return said.join('\n');
}

const writtenConfig = () => JSON.parse(readFileSync(join(project, 'build/wrangler.json'), 'utf8'));

/** An account on which the first version runs; what led to it is forgotten. */
async function deployed(environment: Record<string, string> = {}): Promise<ScriptedAccount> {
  const account = new ScriptedAccount();
  await run(account, environment);
  account.commands.length = 0;
  account.requests.length = 0;
  return account;
}

describe('npm run deploy', () => {
  test('makes everything on an empty account and hands the secrets over in a file that is gone afterwards', async () => {
    const account = new ScriptedAccount();
    const said = await run(account);
    expect(account).toMatchObject({ bucket: '', database: '', traffic: new Map([[firstVersion, 100]]) });
    expect([...account.rules]).toEqual([
      ['plume-staging', 1],
      ['plume-uploads', 1],
      ['plume-results', 2],
      ['plume-zips', 1],
    ]);
    expect([...account.secrets.keys()].sort()).toEqual(['ADMIN_TOKEN', 'SIGNING_KEY']);
    expect(said).toContain(account.secrets.get('ADMIN_TOKEN'));
    expect(said).not.toContain(account.secrets.get('SIGNING_KEY'));
    expect(account.commands.join('\n')).not.toContain(account.secrets.get('SIGNING_KEY'));
    expect(existsSync(account.secretsFile)).toBe(false);
  });

  test('makes nothing twice and leaves the secrets alone', async () => {
    const account = await deployed();
    const before = new Map(account.secrets);
    await run(account);
    expect(account.commands.filter((command) => /create|lifecycle (add|remove)|secrets-file/.test(command))).toEqual(
      [],
    );
    expect(account.secrets).toEqual(before);
  });

  test('uses a secret that the environment gives', async () => {
    const account = new ScriptedAccount();
    await run(account, { SIGNING_KEY: 'from the environment' });
    expect(account.secrets.get('SIGNING_KEY')).toBe('from the environment');
  });

  test('uploads the key of an AI server as a secret and its address as a setting', async () => {
    const ai = { AI_PROVIDER: 'openai', AI_BASE_URL: 'https://ai.example/v1', AI_MODEL: 'm', AI_API_KEY: 'sk-1' };
    const account = new ScriptedAccount();
    await run(account, ai);
    expect(account.secrets.get('AI_API_KEY')).toBe('sk-1');
    const written = readFileSync(join(project, 'build/wrangler.json'), 'utf8');
    expect(JSON.parse(written).vars).toMatchObject({ AI_PROVIDER: 'openai', AI_BASE_URL: 'https://ai.example/v1' });
    expect(JSON.parse(written).ai).toMatchObject({ binding: 'AI' });
    expect(written).not.toContain('sk-1');
  });

  test('bounds requests by what the edge takes, unless another bound is set', async () => {
    await run(new ScriptedAccount());
    expect(writtenConfig().vars.MAX_REQUEST_BYTES).toBe('100000000');
    await run(new ScriptedAccount(), { MAX_REQUEST_BYTES: '200000000' });
    expect(writtenConfig().vars.MAX_REQUEST_BYTES).toBe('200000000');
    await expect(run(new ScriptedAccount(), { MAX_REQUEST_BYTES: '1000' })).rejects.toThrow(
      'MAX_REQUEST_BYTES must be a whole number from 22000000',
    );
  });

  test('stops before anything is made when a setting is wrong', async () => {
    const account = new ScriptedAccount();
    await expect(run(account, { AI_PROVIDER: 'openai' })).rejects.toThrow(/^AI_BASE_URL must be set/);
    expect(account.commands).toEqual([]);
  });

  test('never replaces secrets because the list could not be had', async () => {
    const account = new ScriptedAccount();
    await run(account);
    const before = new Map(account.secrets);
    account.reachable = false;
    await expect(run(account)).rejects.toThrow(/secrets could not be listed/);
    expect(account.secrets).toEqual(before);
  });

  test('writes a configuration with the own database, the settings of the environment and no secret', async () => {
    await run(new ScriptedAccount(), { DOWNLOAD_TTL_SECONDS: '60', ADMIN_TOKEN: 'not in a file, in none at all' });
    const text = readFileSync(join(project, 'build/wrangler.json'), 'utf8');
    const config = JSON.parse(text);
    expect(config.d1_databases[0]).toMatchObject({
      database_id: databaseId,
      migrations_dir: '../src/database/migrations',
    });
    expect(config.main).toBe('../src/index.ts');
    expect(config.vars.DOWNLOAD_TTL_SECONDS).toBe('60');
    expect(text).not.toContain('not in a file');
    // The pages lie beside the configuration that names them.
    expect(writtenConfig().assets).toMatchObject({
      directory: 'console',
      run_worker_first: expect.arrayContaining(['/*']),
    });
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
      'r2 bucket info plume',
      'r2 bucket info plume --jurisdiction eu',
      'r2 bucket create',
      'lifecycle list',
      'lifecycle add plume plume-staging',
      'lifecycle add plume plume-uploads',
      'lifecycle add plume plume-results',
      'lifecycle add plume plume-zips',
      'd1 list',
      'd1 create',
      'migrations apply',
      'secret list',
      'deployments status',
      'deploy --config',
      'versions upload --config',
      'triggers deploy',
      'versions deploy <running version>@100% <new version>@0%',
      'versions deploy <new version>@100%',
      'rollback <running version>',
    ];
    expect(commands.length).toBe(expected.length);
    for (const [index, part] of expected.entries()) expect(commands[index]).toContain(part);
  });

  test('a rotated signing key is one: none is made beside it', async () => {
    const account = await deployed();
    account.secrets.delete('SIGNING_KEY');
    account.secrets.set('SIGNING_KEY_20261122031005', 'rotated');
    await run(account);
    expect([...account.secrets.keys()].sort()).toEqual(['ADMIN_TOKEN', 'SIGNING_KEY_20261122031005']);
  });

  test('a token that the Worker would refuse to start with is refused here', async () => {
    const account = new ScriptedAccount();
    await expect(run(account, { ADMIN_TOKEN: 'short' })).rejects.toThrow(/^ADMIN_TOKEN must have at least 24/);
    await expect(run(account, { ADMIN_TOKENS: 'ada=short' })).rejects.toThrow(/^ADMIN_TOKENS: the token of ada/);
    expect(account.commands).toEqual([]);
  });

  test('tokens with names are secrets', async () => {
    const account = new ScriptedAccount();
    await run(account, { ADMIN_TOKENS: 'ada=0123456789abcdefghijklmn' });
    expect([...account.secrets.keys()].sort()).toEqual(['ADMIN_TOKENS', 'SIGNING_KEY']);
    expect(JSON.stringify(writtenConfig())).not.toContain('0123456789abcdefghijklmn');
  });
});

test('every variable of wrangler.toml may be given by the environment', () => {
  const { vars = {} } = readWranglerConfig(root);
  expect(settingNames).toEqual(expect.arrayContaining(Object.keys(vars)));
});

test.each([
  ['RESERVATION_TTL_SECONDS', '0'],
  ['RESULT_TTL_SECONDS', 'a day'],
])('a wrong %s stops before anything is made', async (name, value) => {
  const account = new ScriptedAccount();
  await expect(run(account, { [name]: value })).rejects.toThrow(name);
  expect(account.commands).toEqual([]);
});

describe('lifecycle rules', () => {
  test('follow the settings; rules of others stay as they are', async () => {
    const account = await deployed();
    account.rules.set('Default Multipart Abort Rule', 0);
    await run(account, { DOWNLOAD_TTL_SECONDS: String(3 * 86_400) });
    expect(Object.fromEntries(account.rules)).toEqual({
      'plume-staging': 1,
      'plume-uploads': 1,
      'plume-results': 4,
      'plume-zips': 3,
      'Default Multipart Abort Rule': 0,
    });
    const changes = account.commands.filter((command) => /lifecycle (add|remove)/.test(command));
    expect(changes.map((command) => command.split(' ').slice(3, 7).join(' '))).toEqual([
      'remove plume --name plume-results',
      'add plume plume-results results/',
      'remove plume --name plume-zips',
      'add plume plume-zips zips/',
    ]);
  });
});

describe('addresses', () => {
  const withRoutes = (routes: string) =>
    writeFileSync(
      join(project, 'wrangler.toml'),
      readFileSync(join(root, 'wrangler.toml'), 'utf8').replace('\n[vars]', `\n${routes}\n\n[vars]`),
    );

  test('without one of its own the service is on workers.dev, never on previews, and over https only', async () => {
    const account = new ScriptedAccount();
    await run(account);
    expect(writtenConfig()).toMatchObject({
      workers_dev: true,
      preview_urls: false,
      observability: { enabled: true, redact_query_string: true },
      version_metadata: { binding: 'VERSION' },
    });
    expect(writtenConfig().vars.HTTPS_ONLY).toBe('true');
    expect(account.requests[0]).toContain('https://plume.ada.workers.dev/health');
  });

  test.each([
    ['routes = [{ pattern = "images.example.com", custom_domain = true }]'],
    ['route = "images.example.com/*"'],
    ['routes = ["*.example.org/*", "images.example.com/*"]'],
  ])('with %s workers.dev is off', async (routes) => {
    withRoutes(routes);
    const account = new ScriptedAccount();
    await run(account);
    expect(writtenConfig()).toMatchObject({ workers_dev: false, preview_urls: false });
    expect(account.requests[0]).toContain(
      routes.includes('*.example.org') ? 'https://plume.ada.workers.dev/' : 'https://images.example.com/health',
    );
  });
});

describe('a jurisdiction', () => {
  test('is where bucket and database are made, and what the Worker is told', async () => {
    const account = new ScriptedAccount();
    await run(account, { JURISDICTION: 'eu' });
    expect(account).toMatchObject({ bucket: 'eu', database: 'eu' });
    expect(writtenConfig().r2_buckets).toEqual([{ binding: 'BUCKET', bucket_name: 'plume', jurisdiction: 'eu' }]);
    expect(writtenConfig().vars.JURISDICTION).toBe('eu');
    const rules = account.commands.filter((command) => /lifecycle/.test(command));
    for (const command of rules) expect(command).toContain('--jurisdiction eu');
  });

  test.each([
    ['', 'eu'],
    ['eu', ''],
  ])('that was %j cannot become %j: the data would seem to be gone', async (was, asked) => {
    const account = await deployed({ JURISDICTION: was });
    await expect(run(account, { JURISDICTION: asked })).rejects.toThrow(`was made with JURISDICTION=${was},`);
    expect(account.commands.filter((command) => /create|deploy/.test(command))).toEqual([]);
  });
});

describe('the first deployment', () => {
  test('is tested with an image, by a key that it makes and prints', async () => {
    const account = new ScriptedAccount();
    const said = await run(account);
    expect(said).toContain('made-key');
    expect(account.requests.filter((request) => /POST .*compress/.test(request))).toHaveLength(1);
    expect(account.requests.at(-1)).toContain('https://plume.example/d/k/smoke-test.webp');
  });

  test('that fails its test says so and keeps what cannot be shown again', async () => {
    const account = new ScriptedAccount();
    account.faults.set(firstVersion, '/api/compress');
    await expect(run(account)).rejects.toThrow(/is deployed, but the smoke test failed.*compress answered 500/);
    expect(account.secrets.has('ADMIN_TOKEN')).toBe(true);
  });
});

describe('a later deployment', () => {
  const rollOuts = (account: ScriptedAccount) =>
    account.commands.filter((command) => /^(deploy |versions|triggers|rollback)/.test(command));

  test('uploads a version, tests it without traffic, rolls it out, and tests again', async () => {
    const account = await deployed();
    const said = await run(account, {}, 'made-key');
    expect(rollOuts(account)).toEqual([
      'versions upload --config build/wrangler.json',
      'triggers deploy --config build/wrangler.json',
      `versions deploy ${firstVersion}@100% ${secondVersion}@0% --yes --config build/wrangler.json`,
      `versions deploy ${secondVersion}@100% --yes --config build/wrangler.json`,
    ]);
    expect([...account.traffic]).toEqual([[secondVersion, 100]]);
    expect(account.requests.every((request) => request.endsWith(secondVersion))).toBe(true);
    expect(account.requests.filter((request) => /POST .*compress/.test(request))).toHaveLength(2);
    expect(said).toContain(`answers as it should (version ${secondVersion})`);
  });

  test('without a customer’s key it says that no image was compressed', async () => {
    const account = await deployed();
    expect(await run(account)).toContain('without an image: SMOKE_TEST_KEY is not set');
  });

  test.each(['/health', '/health/ready', '/api/compress', '/d/'])(
    'that answers %s wrongly gets no traffic',
    async (path) => {
      const account = await deployed();
      account.faults.set(secondVersion, path);
      await expect(run(account, {}, 'made-key')).rejects.toThrow(/got no traffic.*runs as before/);
      expect([...account.traffic]).toEqual([[firstVersion, 100]]);
    },
  );

  test('that fails only with the traffic is rolled back', async () => {
    const account = await deployed();
    const { fetch } = account;
    const broken = async (...[input, init]: Parameters<typeof fetch>) => {
      // Lanes of the new version are met only now.
      if (account.traffic.get(secondVersion) === 100) account.faults.set(secondVersion, '/api/compress');
      return fetch(input, init);
    };
    const failing = Object.assign(account, { fetch: broken });
    await expect(run(failing, {}, 'made-key')).rejects.toThrow(/failed after the roll-out.*compress.*runs as before/);
    expect([...account.traffic]).toEqual([[firstVersion, 100]]);
    expect(account.commands.at(-1)).toMatch(`rollback ${firstVersion} --name plume --yes`);
  });

  test('that cannot be taken back tells what to do by hand', async () => {
    const account = await deployed();
    account.overrides = false;
    account.faults.set(secondVersion, '/health/ready');
    account.failing.add('rollback');
    await expect(run(account, {}, 'made-key')).rejects.toThrow(`run "npx wrangler rollback ${firstVersion}" now`);
  });

  test('where the header leads nowhere it is tested right after the roll-out', async () => {
    const account = await deployed();
    account.overrides = false;
    expect(await run(account, {}, 'made-key')).toContain('tested right after the roll-out');
    expect([...account.traffic]).toEqual([[secondVersion, 100]]);
    account.faults.set('aaaaaaaa-0000-0000-0000-000000000003', '/api/compress');
    await expect(run(account, {}, 'made-key')).rejects.toThrow(/failed after the roll-out/);
    expect([...account.traffic]).toEqual([[secondVersion, 100]]);
  });

  test('with a Durable Object migration is deployed at once, and no account is made for its test', async () => {
    const account = await deployed();
    account.migrationPending = true;
    const said = await run(account, { ADMIN_TOKEN: '0123456789abcdefghijklmn' }, 'made-key');
    expect(said).toContain('cannot be rolled back');
    expect(rollOuts(account).map((command) => command.split(' --')[0])).toEqual(['versions upload', 'deploy']);
    expect(account.requests.filter((request) => request.includes('/admin/'))).toEqual([]);
    expect([...account.traffic]).toEqual([['aaaaaaaa-0000-0000-0000-000000000002', 100]]);
  });

  test.each(['versions upload', 'triggers deploy', 'versions deploy'])('stops when %s fails', async (command) => {
    const account = await deployed();
    account.failing.add(command);
    await expect(run(account)).rejects.toThrow(/failed. Cloudflare says no/);
    expect([...account.traffic]).toEqual([[firstVersion, 100]]);
  });

  test('stops when it cannot be told what runs', async () => {
    const account = await deployed();
    account.failing.add('deployments status');
    await expect(run(account)).rejects.toThrow(/could not be told what runs/);
    expect(rollOuts(account)).toEqual([]);
  });
});

test('the version’s id is read from wrangler’s notes', () => {
  const notes = [
    { type: 'wrangler-session', version: 1 },
    { type: 'version-upload', version: 1, version_id: firstVersion },
    { type: 'version-deploy', version: 1 },
  ];
  expect(versionIn(`${notes.map((note) => JSON.stringify(note)).join('\n')}\n`)).toBe(firstVersion);
  expect(versionIn('')).toBeUndefined();
  expect(versionIn('{"type":"deploy","version_id":null}')).toBeUndefined();
});

test('the platform counts refused requests up to the same limit as an isolate', () => {
  const { ratelimits } = readWranglerConfig(root) as unknown as { ratelimits: { name: string; simple: unknown }[] };
  expect(ratelimits).toEqual([
    expect.objectContaining({ name: 'REFUSALS', simple: { limit: limits.refusalsPerMinute, period: 60 } }),
  ]);
});
