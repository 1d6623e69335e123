import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { experimental_readRawConfig as readRawConfig } from 'wrangler';

interface RawConfig {
  readonly durable_objects: { readonly bindings: readonly object[] };
  readonly migrations: readonly object[];
  readonly assets: { readonly directory: string };
  readonly d1_databases: readonly { readonly migrations_dir: string }[];
}

/** Writes the service's configuration with the fault shell as its entry; returns the file. */
export function writeShellConfig(root: string, stateFolder: string): string {
  const raw = readRawConfig({ config: join(root, 'wrangler.toml') }).rawConfig as unknown as RawConfig;
  const { bindings } = raw.durable_objects;
  const file = join(stateFolder, 'shell.json');
  const config = {
    ...raw,
    $schema: undefined,
    assets: { ...raw.assets, directory: join(root, raw.assets.directory) },
    main: join(root, 'test/shell/worker.ts'),
    durable_objects: { bindings: [...bindings, { name: 'HOST', class_name: 'RequestHost' }] },
    migrations: [...raw.migrations, { tag: 'shell', new_sqlite_classes: ['RequestHost'] }],
    d1_databases: raw.d1_databases.map((database) => ({
      ...database,
      migrations_dir: join(root, database.migrations_dir),
    })),
  };
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}
