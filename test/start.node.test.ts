import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoImage } from '../scripts/demo-image.ts';
import { makeSmokeKey } from '../scripts/deploy/smoke-key.ts';
import { meetsVersion, smokeTest } from '../scripts/deploy/smoke-test.ts';
import { readArguments } from '../scripts/start/arguments.ts';
import { errorLines } from '../scripts/start/error-lines.ts';
import { portInUse } from '../scripts/start/port-in-use.ts';
import { readSettings, writeSettingsFile } from '../scripts/start/settings.ts';
import { Client, fields, file } from './conformance/support/client.ts';
import { freePort } from './conformance/support/free-port.ts';
import { plain, red } from './conformance/support/pictures.ts';
import { adminToken, Server } from './conformance/support/server.ts';
import { runAsPasted } from './support/run-as-pasted.ts';

const keysIn = (output: string) =>
  [...output.matchAll(/^ {2}(\w+) +(?:api|app) key +(\S+)$/gm)].map(([, plan, key]) => ({ plan, key: key! }));
const curlLine = (output: string) => /^ +(curl .*)$/m.exec(output)![1]!;

describe('npm start', () => {
  const server = new Server();
  const client = new Client(server);
  let first: ReturnType<typeof keysIn>;

  beforeAll(() => server.start());
  afterAll(() => server.dispose());

  test('says where it runs and prints a working key for every plan', async () => {
    expect(server.output).toContain(`Plume is running at http://localhost:${server.port}`);
    first = keysIn(server.output);
    expect(first.map(({ plan }) => plan)).toEqual(['free', 'starter', 'agency']);
    for (const { plan, key } of first) expect((await client.usage(key)).json.plan).toBe(plan);
  });

  test('is quiet: no warnings, no request lines, no secrets', () => {
    expect(server.output).not.toMatch(/warning|wrangler|GET \/|experimental/i);
    expect(server.output).not.toContain(adminToken);
    expect(server.output.split('\n').length).toBeLessThan(18);
  });

  test('the printed curl line works when pasted', async () => {
    const answer = JSON.parse(await runAsPasted(curlLine(server.output)));
    expect(answer.data).toHaveLength(1);
    const picture = sharp(await client.download(answer.data[0].downloadUrl));
    expect(await picture.metadata()).toMatchObject({ format: 'webp', width: 800, height: 533 });
  });

  test('the smoke test of a deployment passes here, and not with a key that is none', async () => {
    const { versionId } = (await client.call('/health')).json;
    const pause = async () => {};
    const target = { address: server.url, worker: 'plume', versionId, key: first[2]!.key, fetch, pause };
    expect(await meetsVersion(target, 1)).toBe(true);
    expect(await meetsVersion({ ...target, versionId: 'another' }, 2)).toBe(false);
    await smokeTest(target);
    await expect(smokeTest({ ...target, key: 'none' })).rejects.toThrow(/POST \/api\/compress answered 401/);
    const made = await makeSmokeKey(target, adminToken);
    await smokeTest({ ...target, key: made });
  });

  test('a demo key gets texts in French, and who wrote them is said', async () => {
    expect(server.output).toMatch(/^AI: the embedded describer\..*not a vision model/m);
    const options = { autoAltText: 'true', autoRenameSEO: 'true', language: 'Français' };
    const answer = await client.compress(first[2]!.key, [...fields(options), file(demoImage(), 'IMG_0001.png')]);
    expect(answer.data[0]!.altText).toMatch(/\b(image|composition|format|tons)\b/);
    expect(answer.data[0]!.newName).toMatch(/^[\p{Ll}\p{N}]+(-[\p{Ll}\p{N}]+){2,7}\.webp$/u);
    expect(answer.headers.get('x-ai-failed')).toBeNull();
  });

  test('no secret stands on a command line, and the files that hold them are their owner’s alone', () => {
    for (const pid of server.processes()) {
      expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(adminToken);
    }
    for (const name of ['settings.env', 'demo-keys.json']) {
      expect(statSync(join(server.stateFolder, name)).mode & 0o077).toBe(0);
    }
  });

  test('a second start on the same port says so in one line', async () => {
    const second = await runAsPasted(`npm start --silent -- --port ${server.port} 2>&1; echo "exit $?"`);
    expect(second.trim().split('\n')).toEqual([expect.stringContaining(`Port ${server.port} is in use`), 'exit 1']);
  });

  test('an administration token that is too short is refused in one line', async () => {
    const weak = new Server();
    await expect(weak.start({ ADMIN_TOKEN: 'short' })).rejects.toThrow(
      /ended with 1:\nADMIN_TOKEN must have at least 24/,
    );
    await weak.dispose();
  });

  test('a setting that is wrong is said in one line', async () => {
    const wrong = new Server();
    await expect(wrong.start({ AI_PROVIDER: 'openai' })).rejects.toThrow(/ended with 1:\nAI_BASE_URL must be set.*\n$/);
    await wrong.dispose();
  });

  test('SIGTERM stops all of it', async () => {
    expect(server.processes('workerd').length).toBeGreaterThan(0);
    await server.stop('SIGTERM');
    expect(server.processes()).toEqual([]);
    expect(await portInUse(server.port)).toBe(false);
  });

  test('after a restart the same keys work and the counters are as they were; the environment wins over the files', async () => {
    await server.start({ ADMIN_TOKEN: '', RATE_LIMIT_PER_MINUTE: '8', CORS_ORIGINS: 'https://one.example' });
    expect(keysIn(server.output)).toEqual(first);
    const { compressions, aiCredits } = (await client.usage(first[2]!.key)).json;
    // The curl line, the smoke test, the texts in French.
    expect([compressions.used, aiCredits.used]).toEqual([3, 1]);
    expect((await client.admin('GET', '/admin/accounts')).status).toBe(404);
    const { headers } = await client.call('/health', { headers: { origin: 'https://two.example' } });
    expect(headers.get('access-control-allow-origin')).not.toBe('*');
  });

  test('a key over its rate gets 429 with Retry-After, other keys do not', async () => {
    const [one, other] = [first[0]!.key, first[1]!.key];
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.usage(one)));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(11);
    for (const { json, headers } of limited) {
      expect(json).toEqual({ error: 'rate_limited', message: expect.any(String) });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const picture = await plain(8, 8, red).png().toBuffer();
    expect((await client.compress(one, [file(picture)])).status).toBe(429);
    expect((await client.usage(other)).status).toBe(200);
  });

  test('a killed starter leaves nothing running', async () => {
    const starters = server.processes('scripts/start.ts').filter((pid) => !commandLine(pid).startsWith('npm'));
    for (const pid of starters) process.kill(pid, 'SIGKILL');
    for (let waited = 0; server.processes().length > 0 && waited < 8000; waited += 100) await delay(100);
    expect(server.processes()).toEqual([]);
  });
});

describe('the parts of npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plume-start-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the first start makes secrets and keeps them', () => {
    const made = readSettings(folder, {});
    expect(made.ADMIN_TOKEN).toMatch(/^[\w-]{43}$/);
    expect(made.SIGNING_KEY).toMatch(/^[\w-]{43}$/);
    expect(readSettings(folder, {})).toEqual(made);
    expect(statSync(join(folder, '.dev.vars')).mode & 0o077).toBe(0);
  });

  test('the environment wins over the file, and an empty value takes a setting away', () => {
    const given = readSettings(folder, { SIGNING_KEY: 'given', ADMIN_TOKEN: '', LANES: '3' });
    expect(given).toEqual({ SIGNING_KEY: 'given', LANES: '3', AI_PROVIDER: 'embedded' });
  });

  test('what only a deployed service has is left out: plain http is all there is here', () => {
    const given = readSettings(folder, { HTTPS_ONLY: 'true', JURISDICTION: 'eu' });
    expect(Object.keys(given)).not.toContain('HTTPS_ONLY');
    expect(Object.keys(given)).not.toContain('JURISDICTION');
  });

  test('AI texts come from the embedded describer unless the environment or the file says otherwise', () => {
    expect(readSettings(folder, {})).toMatchObject({ AI_PROVIDER: 'embedded' });
    expect(readSettings(folder, { AI_PROVIDER: '' })).toMatchObject({ AI_PROVIDER: 'embedded' });
    const server = { AI_PROVIDER: 'openai', AI_BASE_URL: 'http://localhost:11434/v1', AI_MODEL: 'm', AI_API_KEY: 'k' };
    expect(readSettings(folder, server)).toMatchObject(server);
    const own = mkdtempSync(join(tmpdir(), 'plume-settings-'));
    writeFileSync(join(own, '.dev.vars'), 'AI_PROVIDER=workers-ai\n');
    expect(readSettings(own, {})).toMatchObject({ AI_PROVIDER: 'workers-ai' });
    rmSync(own, { recursive: true });
  });

  test('secrets that the environment gives are not written to the file', () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    readSettings(empty, { SIGNING_KEY: 'a', ADMIN_TOKEN: 'b' });
    expect(existsSync(join(empty, '.dev.vars'))).toBe(false);
  });

  test('a file without a line break at its end is continued on a new line', () => {
    const open = mkdtempSync(join(folder, 'open-'));
    writeFileSync(join(open, '.dev.vars'), 'LANES=2');
    expect(readSettings(open, {})).toMatchObject({ LANES: '2', ADMIN_TOKEN: expect.any(String) });
  });

  test('a value with all kinds of quotes is refused instead of changed', () => {
    expect(() => writeSettingsFile(folder, { ADMIN_TOKEN: `'"\`` })).toThrow(/ADMIN_TOKEN/);
  });

  test.each(['0', '65536', 'x', '80.5', ''])('--port %j is refused', (port) => {
    expect(() => readArguments(['--port', port], folder)).toThrow(/--port/);
  });

  test('unknown arguments are refused', () => {
    expect(() => readArguments(['--prot', '1'], folder)).toThrow(/--prot/);
  });

  test('a port is in use while something listens on it', async () => {
    const port = await freePort();
    expect(await portInUse(port)).toBe(false);
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
    expect(await portInUse(port)).toBe(true);
    await new Promise((resolve) => listener.close(resolve));
  });

  test('errors are picked out of the noise, wherever the stream is cut', () => {
    const text =
      '[wrangler:info] GET / 200\n\u001b[33m▲ [WARNING] careful\u001b[0m\n\n  more\n\n[wrangler:error] Error: boom\n    at there\n[wrangler:info] GET / 500\n';
    for (const size of [1, 7, text.length]) {
      const shown: string[] = [];
      const take = errorLines((line) => shown.push(line));
      for (let at = 0; at < text.length; at += size) take(text.slice(at, at + size));
      expect(shown).toEqual(['[wrangler:error] Error: boom', '    at there']);
    }
  });

  test('the demo picture is a colourful PNG of 1200 × 800', async () => {
    const picture = sharp(demoImage());
    expect(await picture.metadata()).toMatchObject({ format: 'png', width: 1200, height: 800, channels: 3 });
    const { entropy } = await picture.stats();
    expect(entropy).toBeGreaterThan(5);
  });
});

function commandLine(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
}
