import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';

/** The parts of `wrangler.toml` that the scripts read; the rest is passed on as it is. */
export interface WranglerConfig {
  readonly name: string;
  readonly compatibility_date: string;
  readonly main?: string;
  readonly vars?: Readonly<Record<string, string>>;
  readonly assets?: { readonly directory: string };
  readonly route?: Route;
  readonly routes?: readonly Route[];
  readonly r2_buckets?: readonly { readonly binding: string; readonly bucket_name?: string }[];
  readonly d1_databases?: readonly {
    readonly binding: string;
    readonly database_name?: string;
    readonly migrations_dir?: string;
  }[];
}

/** Where the Worker is called: `host/path*`, or a domain that is all its own. */
export type Route = string | { readonly pattern: string; readonly custom_domain?: boolean };

/** Reads `wrangler.toml`. @throws Error when it is no TOML, or lacks what no Worker can do without */
export function readWranglerConfig(root: string): WranglerConfig {
  const config = parse(readFileSync(join(root, 'wrangler.toml'), 'utf8')) as Partial<WranglerConfig>;
  const { name, compatibility_date: date } = config;
  if (!name || !date) throw new Error('wrangler.toml must have a name and a compatibility_date.');
  return { ...config, name, compatibility_date: date };
}
