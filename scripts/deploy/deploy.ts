import { join } from 'node:path';
import { makeBucket } from './bucket.ts';
import { makeDatabase } from './database.ts';
import { productionConfig, writeProductionConfig } from './production-config.ts';
import { rollOut, sayLaterRollOut } from './roll-out.ts';
import { must, type RunWrangler } from './run-wrangler.ts';
import { missingSecrets, withSecretsFile } from './secrets.ts';

export interface Deployment {
  readonly root: string;
  /** Settings that the environment gives; they win over `wrangler.toml`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly wrangler: RunWrangler;
  readonly say: (line: string) => void;
  /** false: write no file, make no secret, send no request (dry run). */
  readonly write: boolean;
  /** A customer's key with which the smoke test compresses an image. */
  readonly smokeKey: string | undefined;
  readonly fetch: typeof fetch;
  /** Waits so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Brings the service into production, or an existing one up to date: bucket, lifecycle rules, database, migrations,
 * secrets, Worker. Safe to repeat: only what is missing is made. The database's migrations suit the code that still runs.
 * @throws Error with a sentence that says which step failed
 */
export async function deploy(deployment: Deployment): Promise<void> {
  const { root, wrangler, say } = deployment;
  const config = productionConfig(root, deployment.environment);
  if (!wrangler(['whoami'], { capture: true, note: 'is somebody logged in?' }).ok) {
    throw new Error(
      'Not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN, and try again.',
    );
  }
  makeBucket(wrangler, config);
  const databaseId = makeDatabase(deployment, config);
  const file = join(root, 'build/wrangler.json');
  if (deployment.write) writeProductionConfig(file, config, databaseId);

  must(wrangler(['d1', 'migrations', 'apply', 'DB', '--remote', '--config', 'build/wrangler.json']), 'The migrations');
  const secrets = missingSecrets(deployment, config.worker);
  await withSecretsFile(deployment, secrets, async (secretsArgs) => {
    // Said before it is needed: it cannot be read back, whatever fails after it was uploaded.
    if (secrets.made.ADMIN_TOKEN) say(`ADMIN_TOKEN (shown once, keep it): ${secrets.made.ADMIN_TOKEN}`);
    const adminToken = secrets.upload.ADMIN_TOKEN;
    await rollOut(deployment, config, { secrets: secretsArgs, adminToken });
  });
  if (!deployment.write) sayLaterRollOut(deployment, config.worker);
  say('');
  say('What wrangler cannot do: switch on R2 and the Workers Paid plan (needed for 300 s of CPU a request) in the');
  say('dashboard. A domain of yours is a route in wrangler.toml. The rest is in docs/operations.md.');
}
