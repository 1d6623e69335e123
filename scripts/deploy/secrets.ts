import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment } from './deploy.ts';

export const secretNames = ['SIGNING_KEY', 'SIGNING_KEY_PREVIOUS', 'ADMIN_TOKEN', 'AI_API_KEY'] as const;
/** Without these the service does not work: they are made when neither Cloudflare nor the environment has them. */
const required = ['SIGNING_KEY', 'ADMIN_TOKEN'] as const;

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
  const args = ['secret', 'list', '--name', worker, '--format', 'json'];
  const listed = wrangler(args, { capture: true, note: 'which secrets has it?' });
  // A Worker that was never deployed has none; any other failure must not end in new secrets over the old ones.
  if (!listed.ok && !/does not exist|not found|10007/i.test(listed.output + listed.errors)) {
    throw new Error(`The secrets could not be listed. ${listed.errors}Mend the cause and run npm run deploy again.`);
  }
  const upload: Record<string, string> = {};
  const made: Record<string, string> = {};
  for (const name of secretNames) {
    if (environment[name]) upload[name] = environment[name];
  }
  for (const name of required) {
    if (name in upload || (listed.ok && listed.output.includes(`"${name}"`))) continue;
    upload[name] = write ? randomBytes(32).toString('base64url') : '';
    if (write) made[name] = upload[name];
  }
  return { upload, made };
}

/** Hands the secrets over in a file that only its owner reads and that is gone afterwards, never on a command line. */
export function withSecretsFile(deployment: Deployment, secrets: MissingSecrets, use: (args: string[]) => void): void {
  const names = Object.keys(secrets.upload);
  if (names.length === 0 || !deployment.write) {
    use(names.length === 0 ? [] : ['--secrets-file', `<${names.join(', ')}>`]);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'plume-'));
  try {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, JSON.stringify(secrets.upload), { mode: 0o600 });
    use(['--secrets-file', file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
