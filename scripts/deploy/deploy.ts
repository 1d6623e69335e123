import { join } from 'node:path';
import { productionConfig, writeProductionConfig } from './production-config.ts';
import type { RunWrangler } from './run-wrangler.ts';
import { missingSecrets, withSecretsFile } from './secrets.ts';

export interface Deployment {
  readonly root: string;
  /** Settings that the environment gives; they win over `wrangler.toml`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly wrangler: RunWrangler;
  readonly say: (line: string) => void;
  /** false: write no file and make no secret (dry run). */
  readonly write: boolean;
}

/** What is left behind by a request or a sweep that never ran is deleted by R2 itself: the rules' names and prefixes. */
const lifecycleRules = [
  { name: 'plume-staging', prefix: 'staging/' },
  { name: 'plume-results', prefix: 'results/' },
] as const;
const DAY_SECONDS = 24 * 60 * 60;

/**
 * Brings the service into production, or an existing one up to date: bucket, lifecycle rules, database, migrations,
 * secrets, Worker. Safe to repeat: only what is missing is made.
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
  makeBucket(deployment, config.bucket, config.downloadSeconds);
  const databaseId = makeDatabase(deployment, config.database);
  const file = join(root, 'build/wrangler.json');
  if (deployment.write) writeProductionConfig(file, config, databaseId);

  must(wrangler(['d1', 'migrations', 'apply', 'DB', '--remote', '--config', 'build/wrangler.json']), 'The migrations');
  const secrets = missingSecrets(deployment, config.worker);
  withSecretsFile(deployment, secrets, (secretsArgs) =>
    must(wrangler(['deploy', '--config', 'build/wrangler.json', ...secretsArgs]), 'The deployment'),
  );
  say('');
  if (secrets.made.ADMIN_TOKEN) say(`ADMIN_TOKEN (shown once, keep it): ${secrets.made.ADMIN_TOKEN}`);
  say('What wrangler cannot do: switch on R2 and the Workers Paid plan (needed for 300 s of CPU a request) in the');
  say('dashboard, and give the Worker a domain of yours (dashboard → Workers → plume → Domains & Routes).');
}

function makeBucket({ wrangler }: Deployment, bucket: string, downloadSeconds: number): void {
  if (!wrangler(['r2', 'bucket', 'info', bucket], { capture: true, note: 'is the bucket there?' }).ok) {
    must(wrangler(['r2', 'bucket', 'create', bucket], { note: 'if it is not' }), 'Creating the bucket');
  }
  const listed = wrangler(['r2', 'bucket', 'lifecycle', 'list', bucket], {
    capture: true,
    note: 'which rules has it?',
  });
  // Whole days; never before the last link to a result has expired.
  const days = String(Math.max(1, Math.ceil(downloadSeconds / DAY_SECONDS)));
  for (const { name, prefix } of lifecycleRules) {
    if (listed.ok && listed.output.includes(name)) continue;
    const rule = ['r2', 'bucket', 'lifecycle', 'add', bucket, name, prefix];
    const added = wrangler([...rule, '--expire-days', days, '--abort-multipart-days', '1', '--force'], {
      note: 'if it is missing',
    });
    must(added, `The lifecycle rule ${name}`);
  }
}

/** Returns the database's id; a dry run knows none. */
function makeDatabase({ wrangler, write }: Deployment, database: string): string {
  const known = databaseId(wrangler, database, 'is the database there?');
  if (known !== undefined) return known;
  must(wrangler(['d1', 'create', database], { note: 'if it is not' }), 'Creating the database');
  if (!write) return '<id of the database>';
  const made = databaseId(wrangler, database, 'what is its id?');
  if (made === undefined) throw new Error('The database was created but is not listed yet. Run npm run deploy again.');
  return made;
}

function databaseId(wrangler: RunWrangler, database: string, note: string): string | undefined {
  const listed = wrangler(['d1', 'list', '--json'], { capture: true, note });
  if (!listed.ok) return undefined;
  const databases = JSON.parse(listed.output.slice(listed.output.indexOf('['))) as { name: string; uuid: string }[];
  return databases.find(({ name }) => name === database)?.uuid;
}

function must(done: { ok: boolean; errors: string }, step: string): void {
  if (!done.ok) throw new Error(`${step} failed. ${done.errors}Mend the cause and run npm run deploy again.`.trim());
}
