import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { reservationTtl } from '../../src/credits/reservation-ttl.ts';
import type { Jurisdiction } from '../../src/platform/objects-within.ts';
import { readSettings } from '../../src/settings.ts';
import { type Route, readWranglerConfig, type WranglerConfig } from '../wrangler-config.ts';
import { secretNames } from './secrets.ts';

export interface ProductionConfig {
  readonly root: string;
  readonly worker: string;
  readonly bucket: string;
  readonly database: string;
  /** How long a download link lives. */
  readonly downloadSeconds: number;
  /** Seconds for which results are kept before their last link is made. */
  readonly resultSeconds: number;
  /** How long an upload is kept that a dead request left. */
  readonly stagingSeconds: number;
  readonly jurisdiction: Jurisdiction | undefined;
  /** Where the service is called, as far as the settings tell; else workers.dev. */
  readonly address: string | undefined;
  readonly raw: WranglerConfig;
}

/** What holds in production unless `wrangler.toml` or the environment says otherwise: never on this machine. */
const productionVars = {
  HTTPS_ONLY: 'true',
  // What Cloudflare's edge takes on the Free and Pro plans; past it the answer would be the edge's own, in HTML.
  MAX_REQUEST_BYTES: '100000000',
};

/**
 * `wrangler.toml` as production uses it: the environment's settings over its `vars`.
 * @throws Error when the file lacks the bucket or the database, or a setting is wrong: the Worker would not start with it
 */
export function productionConfig(root: string, environment: Readonly<Record<string, string>>): ProductionConfig {
  const rawConfig = readWranglerConfig(root);
  const bucket = rawConfig.r2_buckets?.find(({ binding }) => binding === 'BUCKET')?.bucket_name;
  const database = rawConfig.d1_databases?.find(({ binding }) => binding === 'DB')?.database_name;
  if (!bucket || !database) throw new Error('wrangler.toml must name the bucket of BUCKET and the database of DB.');
  const plain = Object.entries(environment).filter(([name]) => !secretNames.some((secret) => secret === name));
  const vars: Record<string, string> = { ...productionVars, ...rawConfig.vars, ...Object.fromEntries(plain) };
  const settings = readSettings({ ...vars, ...environment });
  reservationTtl(vars);
  const { downloadTtlSeconds: downloadSeconds, resultTtlSeconds: resultSeconds, jurisdiction, baseUrl } = settings;
  const { stagingTtlSeconds: stagingSeconds } = settings;
  const address = baseUrl ?? routesOf(rawConfig).map(addressOf)[0];
  const names = { root, worker: rawConfig.name, bucket, database };
  return {
    ...names,
    downloadSeconds,
    resultSeconds,
    stagingSeconds,
    jurisdiction,
    address,
    raw: { ...rawConfig, vars },
  };
}

/**
 * Writes the configuration with the account's own database id; it stays out of the repository. With an address of one's own there is no other
 * one: what protects the one (WAF, Access) would be missing on workers.dev.
 */
export function writeProductionConfig(file: string, config: ProductionConfig, databaseId: string): void {
  const folder = dirname(file);
  const moved = (path: unknown) => relative(folder, join(config.root, String(path)));
  const { raw, jurisdiction } = config;
  const databases = raw.d1_databases?.map((database) =>
    database.binding === 'DB'
      ? { ...database, database_id: databaseId, migrations_dir: moved(database.migrations_dir) }
      : database,
  );
  const buckets = raw.r2_buckets?.map((bucket) => (jurisdiction === undefined ? bucket : { ...bucket, jurisdiction }));
  const assets = raw.assets && { ...raw.assets, directory: moved(raw.assets.directory) };
  const addresses = { workers_dev: routesOf(raw).length === 0, preview_urls: false };
  const moving = { ...raw, ...addresses, main: moved(raw.main), r2_buckets: buckets, d1_databases: databases, assets };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(moving, null, 2)}\n`);
}

function routesOf({ route, routes = [] }: WranglerConfig): readonly Route[] {
  return route === undefined ? routes : [route, ...routes];
}

/** `images.example.com/*` is called at `https://images.example.com`; of a host with a wildcard nobody knows. */
function addressOf(route: Route): string | undefined {
  const pattern = typeof route === 'string' ? route : route.pattern;
  const host = pattern.replace(/^https?:\/\//, '').split('/', 1)[0]!;
  return host.includes('*') ? undefined : `https://${host}`;
}
