import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment } from './deploy.ts';
import type { RunWrangler } from './run-wrangler.ts';

export const secretNames = [
  'SIGNING_KEY',
  'SIGNING_KEY_PREVIOUS',
  'ADMIN_TOKEN',
  'ADMIN_TOKENS',
  'AI_API_KEY',
] as const;
/**
 * Without these the service does not work: they are made when neither Cloudflare nor the environment has them, under that name or another one
 * that does the same.
 */
const required = { SIGNING_KEY: /^SIGNING_KEY(_\d{14})?$/, ADMIN_TOKEN: /^ADMIN_TOKENS?$/ } as const;

export interface MissingSecrets {
  /** What is uploaded with the Worker. */
  readonly upload: Readonly<Record<string, string>>;
  /** Those of them that were made here. */
  readonly made: Readonly<Record<string, string>>;
}

/**
 * The secrets that have to be uploaded: those that the environment gives, and the required ones that are nowhere.
 * @throws Error when it cannot be told which ones Cloudflare has
 */
export function missingSecrets({ environment, wrangler, write }: Deployment, worker: string): MissingSecrets {
  const there = secretsOf(wrangler, worker);
  const upload: Record<string, string> = {};
  const made: Record<string, string> = {};
  for (const name of secretNames) {
    if (environment[name]) upload[name] = environment[name];
  }
  for (const [name, same] of Object.entries(required)) {
    if ([...there, ...Object.keys(upload)].some((other) => same.test(other))) continue;
    upload[name] = write ? randomBytes(32).toString('base64url') : '';
    if (write) made[name] = upload[name];
  }
  return { upload, made };
}

/** The names of the secrets that a Worker has. @throws Error when they cannot be listed */
export function secretsOf(wrangler: RunWrangler, worker: string): string[] {
  const args = ['secret', 'list', '--name', worker, '--format', 'json'];
  const listed = wrangler(args, { capture: true, note: 'which secrets has it?' });
  if (listed.ok) {
    const secrets = JSON.parse(listed.output.slice(listed.output.indexOf('['))) as { name: string }[];
    return secrets.map(({ name }) => name);
  }
  // A Worker that was never deployed has none; any other failure must not end in new secrets over the old ones.
  if (/does not exist|not found|10007/i.test(listed.output + listed.errors)) return [];
  throw new Error(`The secrets could not be listed. ${listed.errors}Mend the cause and run npm run deploy again.`);
}

/** Hands the secrets over in a file that only its owner reads and that is gone afterwards, never on a command line. */
export async function withSecretsFile(
  deployment: Pick<Deployment, 'write'>,
  secrets: { readonly upload: Readonly<Record<string, string | null>> },
  use: (args: string[]) => Promise<void>,
): Promise<void> {
  const names = Object.keys(secrets.upload);
  if (names.length === 0 || !deployment.write) {
    return await use(names.length === 0 ? [] : ['--secrets-file', `<${names.join(', ')}>`]);
  }
  const folder = mkdtempSync(join(tmpdir(), 'plume-'));
  try {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, JSON.stringify(secrets.upload), { mode: 0o600 });
    await use(['--secrets-file', file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
