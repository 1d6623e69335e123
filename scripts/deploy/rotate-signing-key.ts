import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { signingKeyName, signsFrom } from '../../src/delivery/signing-keys.ts';
import type { Deployment } from './deploy.ts';
import { productionConfig } from './production-config.ts';
import type { WranglerAnswer } from './run-wrangler.ts';
import { secretsOf, withSecretsFile } from './secrets.ts';

/** How long a new key is accepted before it signs: by then every isolate has it. */
const LEAD_MS = 2 * 60 * 1000;

interface Rotation extends Pick<Deployment, 'root' | 'environment' | 'wrangler' | 'say'> {
  /** Unix time in milliseconds. */
  readonly now: number;
  /** The present key is known to others: it is dropped at once, and the links that it signed with it. */
  readonly leaked: boolean;
}

/**
 * Gives the deployed service a new signing key. Cloudflare tells the names of secrets, never what they hold, so the present key cannot be copied
 * to another name: it stays where it is, and the new one gets a name with its date. Keys are dropped once no link can be left that they signed.
 * One request to Cloudflare does all of it, so that nothing is half done.
 * @throws Error with a sentence that says what failed
 */
export async function rotateSigningKey(rotation: Rotation): Promise<void> {
  const { root, environment, wrangler, say, now, leaked } = rotation;
  const { worker, downloadSeconds } = productionConfig(root, environment);
  const present = secretsOf(wrangler, worker).filter((name) => name.startsWith('SIGNING_KEY'));
  if (present.length === 0) throw new Error(`${worker} has no signing key yet: npm run deploy makes one.`);
  const name = signingKeyName(leaked ? now : now + LEAD_MS);
  if (present.includes(name)) throw new Error(`There is a ${name} already. Wait a second and try again.`);
  const dropped = leaked ? present : outlived(present, now - downloadSeconds * 1000);
  const changes = { [name]: newSecret(), ...Object.fromEntries(dropped.map((old) => [old, null])) };
  await withSecretsFile({ write: true }, { upload: changes }, async ([, file]) => {
    const done = wrangler(['secret', 'bulk', file!, '--name', worker], { capture: true, unattended: true });
    if (!done.ok) throw new Error(`${refusal(done)} ${done.errors}`.trim());
  });
  const from = leaked ? 'at once' : `from ${new Date(signsFrom(name)).toISOString()} on`;
  say(`${name} signs ${from}.`);
  if (leaked)
    say('Links that were made before do not work any more (403). Send files again, or repeat requests, for new ones.');
  if (dropped.length > 0) say(`Dropped: ${dropped.join(', ')}.`);
}

/** Secrets are changed in the newest version, so Cloudflare wants that one to be the running one. */
function refusal({ output, errors }: WranglerAnswer): string {
  const waiting = /isn't currently deployed/i.test(output + errors);
  const reason = waiting
    ? ' The newest version does not run: npm run deploy rolls out a good one, then try again.'
    : '';
  return `The keys could not be changed; all is as it was.${reason}`;
}

/**
 * The keys that signed no link since `since`: a younger one had begun to sign by then. `SIGNING_KEY_PREVIOUS` came before all.
 * @param since Unix time in milliseconds
 */
function outlived(names: readonly string[], since: number): readonly string[] {
  const order = (name: string) => (name === 'SIGNING_KEY_PREVIOUS' ? -1 : signsFrom(name));
  const oldestFirst = names.toSorted((a, b) => order(a) - order(b));
  const signing = oldestFirst.findLastIndex((name) => order(name) > 0 && order(name) < since);
  return oldestFirst.slice(0, Math.max(0, signing));
}

/**
 * The same on this machine, where the file can be read: SIGNING_KEY_PREVIOUS takes the present key, SIGNING_KEY a new one. Other lines stay as they are.
 * @param file `.dev.vars`
 * @throws Error when there is no key yet
 */
export function rotateLocalKey(file: string, leaked: boolean): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const { SIGNING_KEY: present } = parseEnv(text);
  if (!present) throw new Error(`${file} has no SIGNING_KEY yet: npm start makes one.`);
  const others = text.split('\n').filter((line) => !/^\s*(export\s+)?SIGNING_KEY(_PREVIOUS)?\s*=/.test(line));
  const keys = [`SIGNING_KEY=${newSecret()}`, ...(leaked ? [] : [`SIGNING_KEY_PREVIOUS=${quoted(present)}`])];
  writeFileSync(file, `${[...others, ...keys].filter((line) => line !== '').join('\n')}\n`, { mode: 0o600 });
}

function quoted(value: string): string {
  return /^[\w-]+$/.test(value) ? value : JSON.stringify(value);
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
