import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readSettings } from '../../src/settings.ts';
import { readWranglerConfig, type WranglerConfig } from '../wrangler-config.ts';
import { secretNames } from './secrets.ts';

export interface ProductionConfig {
  readonly root: string;
  readonly worker: string;
  readonly bucket: string;
  readonly database: string;
  /** How long a download link lives. */
  readonly downloadSeconds: number;
  readonly raw: WranglerConfig;
}

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
  const vars = { ...rawConfig.vars, ...Object.fromEntries(plain) };
  readSettings(vars);
  const downloadSeconds = Number(vars.DOWNLOAD_TTL_SECONDS);
  return { root, worker: rawConfig.name, bucket, database, downloadSeconds, raw: { ...rawConfig, vars } };
}

/** Writes the configuration with the account's own database id; it stays out of the repository. */
export function writeProductionConfig(file: string, config: ProductionConfig, databaseId: string): void {
  const folder = dirname(file);
  const moved = (path: unknown) => relative(folder, join(config.root, String(path)));
  const databases = config.raw.d1_databases?.map((database) =>
    database.binding === 'DB'
      ? { ...database, database_id: databaseId, migrations_dir: moved(database.migrations_dir) }
      : database,
  );
  mkdirSync(folder, { recursive: true });
  const moving = { ...config.raw, main: moved(config.raw.main), d1_databases: databases };
  writeFileSync(file, `${JSON.stringify(moving, null, 2)}\n`);
}
