import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** Every setting of the service that the environment may give. */
export const settingNames = [
  'ADMIN_TOKEN',
  'ADMIN_TOKENS',
  'SIGNING_KEY',
  'SIGNING_KEY_PREVIOUS',
  'BASE_URL',
  'DOWNLOAD_TTL_SECONDS',
  'RESULT_TTL_SECONDS',
  'RESERVATION_TTL_SECONDS',
  'STAGING_TTL_SECONDS',
  'RATE_LIMIT_PER_MINUTE',
  'LANES',
  'MAX_REQUEST_BYTES',
  'CORS_ORIGINS',
  'HTTPS_ONLY',
  'JURISDICTION',
  'AI_PROVIDER',
  'AI_MODEL',
  'AI_BASE_URL',
  'AI_API_KEY',
  'AI_TIMEOUT_MS',
  'AI_GATEWAY',
] as const;

/** What only a deployed service has: plain http is all there is on this machine, and its Durable Objects know no places. */
const deployedOnly: readonly string[] = ['HTTPS_ONLY', 'JURISDICTION'];
export type Settings = Partial<Record<string, string>>;

/**
 * On this machine there is no account and may be no network: the embedded describer needs neither. All lanes share one isolate, so that more of them
 * compute nothing sooner.
 */
const local = { AI_PROVIDER: 'embedded', LANES: '16' };

/** Secrets that a first start makes: 256 random bits each. */
const generated = ['ADMIN_TOKEN', 'SIGNING_KEY'] as const;

/**
 * The settings in force: those of `.dev.vars`, over them those of the environment. An empty value in the environment
 * takes a setting away (no ADMIN_TOKEN: no admin routes). Secrets that neither gives are made and added to `.dev.vars`; without
 * AI_PROVIDER the embedded describer is used.
 */
export function readSettings(root: string, environment: NodeJS.ProcessEnv): Settings {
  const file = join(root, '.dev.vars');
  const settings: Settings = { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}) };
  for (const name of settingNames) {
    const given = environment[name];
    if (given !== undefined) settings[name] = given;
  }
  for (const name of generated) {
    if (settings[name] === undefined) settings[name] = addSecret(file, name);
  }
  const here = Object.entries(settings).filter(([name, value]) => value !== '' && !deployedOnly.includes(name));
  const given = Object.fromEntries(here);
  return { ...local, ...given };
}

function addSecret(file: string, name: string): string {
  const secret = randomBytes(32).toString('base64url');
  const startsLine = !existsSync(file) || /(^|\n)$/.test(readFileSync(file, 'utf8'));
  appendFileSync(file, `${startsLine ? '' : '\n'}${name}=${secret}\n`, { mode: 0o600 });
  return secret;
}

/** Writes the settings where only their owner reads them and returns the file: secrets never stand on a command line. */
export function writeSettingsFile(stateFolder: string, settings: Settings): string {
  const file = join(stateFolder, 'settings.env');
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(name, value ?? '')}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  chmodSync(file, 0o600);
  return file;
}

/** wrangler reads the file with dotenv, which knows no escapes but three kinds of quotes, and expands `$NAME` after it. */
function quoted(name: string, value: string): string {
  const quote = ["'", '`', '"'].find((mark) => !value.includes(mark));
  if (quote === undefined) throw new Error(`${name} may not hold all three kinds of quotes (' " \`).`);
  return quote + value.replaceAll('$', '\\$') + quote;
}
