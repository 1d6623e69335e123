import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rotateLocalKey, rotateSigningKey } from '../../scripts/deploy/rotate-signing-key.ts';
import { signingKeys } from '../../src/delivery/signing-keys.ts';
import { firstVersion, ScriptedAccount } from '../support/scripted-account.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const start = Date.UTC(2026, 10, 22, 3);

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'plume-rotate-'));
  cpSync(join(import.meta.dirname, '../../wrangler.toml'), join(project, 'wrangler.toml'));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function account(secrets: Record<string, string>): ScriptedAccount {
  const made = new ScriptedAccount();
  made.traffic = new Map([[firstVersion, 100]]);
  for (const [name, value] of Object.entries(secrets)) made.secrets.set(name, value);
  return made;
}

async function rotate({ wrangler }: ScriptedAccount, now: number, leaked = false): Promise<string> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  await rotateSigningKey({ root: project, environment: {}, wrangler, say, now, leaked });
  return said.join('\n');
}

/** The keys as the Worker reads them. */
const keysOf = ({ secrets }: ScriptedAccount, now: number) => signingKeys(Object.fromEntries(secrets), now);

describe('a rotation', () => {
  test('adds a key that signs once every isolate has it; links of the present one go on', async () => {
    const production = account({ SIGNING_KEY: 'first', ADMIN_TOKEN: 'x' });
    await rotate(production, start);
    expect(keysOf(production, start)[0]).toBe('first');
    const [signs, ...accepted] = keysOf(production, start + 2 * MINUTE);
    expect(signs).toMatch(/^[\w-]{43}$/);
    expect(accepted).toEqual(['first']);
    expect(production.secrets.get('ADMIN_TOKEN')).toBe('x');
  });

  test('shows no key on a command line and leaves no file', async () => {
    const production = account({ SIGNING_KEY: 'first' });
    const said = await rotate(production, start);
    const [signs] = keysOf(production, start + HOUR);
    expect(`${said}${production.commands.join()}`).not.toContain(signs);
    expect(existsSync(production.secretsFile)).toBe(false);
  });

  test('drops keys only when no link can be left that they signed', async () => {
    const production = account({ SIGNING_KEY: 'first', SIGNING_KEY_PREVIOUS: 'zeroth' });
    await rotate(production, start);
    // Links live an hour: those that the first key signed until two minutes after the start are not over.
    await rotate(production, start + 30 * MINUTE);
    expect(keysOf(production, start + 40 * MINUTE)).toHaveLength(4);
    await rotate(production, start + 63 * MINUTE);
    const kept = keysOf(production, start + 70 * MINUTE);
    expect(kept).toHaveLength(3);
    expect(kept).not.toContain('first');
    await rotate(production, start + 3 * HOUR);
    expect(keysOf(production, start + 3 * HOUR + 10 * MINUTE)).toHaveLength(2);
  });

  test('of a leaked key drops it at once', async () => {
    const production = account({ SIGNING_KEY: 'first', SIGNING_KEY_PREVIOUS: 'zeroth' });
    const said = await rotate(production, start, true);
    expect(keysOf(production, start)).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(said).toContain('Dropped: SIGNING_KEY, SIGNING_KEY_PREVIOUS.');
  });

  test('changes all or nothing, and says why it could not', async () => {
    const production = account({ SIGNING_KEY: 'first' });
    production.failing.add('secret bulk');
    await expect(rotate(production, start)).rejects.toThrow(/all is as it was.*Cloudflare says no/);
    expect([...production.secrets]).toEqual([['SIGNING_KEY', 'first']]);
  });

  test('wants a service that is deployed and can be asked', async () => {
    await expect(rotate(account({}), start)).rejects.toThrow(/no signing key yet/);
    const away = account({ SIGNING_KEY: 'first' });
    away.reachable = false;
    await expect(rotate(away, start)).rejects.toThrow(/could not be listed/);
  });
});

describe('on this machine', () => {
  const file = () => join(project, '.dev.vars');

  test('the present key becomes the previous one; the rest of the file stays', () => {
    writeFileSync(file(), '# mine\nADMIN_TOKEN=t\nSIGNING_KEY=first\nSIGNING_KEY_PREVIOUS=zeroth\nLANES=2');
    rotateLocalKey(file(), false);
    const { SIGNING_KEY, ...rest } = parseEnv(readFileSync(file(), 'utf8'));
    expect(SIGNING_KEY).toMatch(/^[\w-]{43}$/);
    expect(rest).toEqual({ ADMIN_TOKEN: 't', SIGNING_KEY_PREVIOUS: 'first', LANES: '2' });
    expect(readFileSync(file(), 'utf8')).toContain('# mine\n');
  });

  test('a leaked key is kept nowhere', () => {
    writeFileSync(file(), 'SIGNING_KEY="my key"\n', { mode: 0o600 });
    rotateLocalKey(file(), true);
    expect(readFileSync(file(), 'utf8')).not.toContain('my key');
    expect(statSync(file()).mode & 0o077).toBe(0);
  });

  test('a key with spaces stays what it is', () => {
    writeFileSync(file(), 'SIGNING_KEY="my key #1"\n');
    rotateLocalKey(file(), false);
    expect(parseEnv(readFileSync(file(), 'utf8')).SIGNING_KEY_PREVIOUS).toBe('my key #1');
  });

  test('there must be a key', () => {
    expect(() => rotateLocalKey(file(), false)).toThrow(/no SIGNING_KEY yet/);
  });
});
