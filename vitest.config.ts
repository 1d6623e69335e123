import { join } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

const migrations = join(import.meta.dirname, 'src/database/migrations');

/** Gives Node a compiled module for an imported `.wasm`, as the bundler of a Worker does. */
const compiledWasm = {
  name: 'compiled-wasm',
  enforce: 'pre' as const,
  load(path: string) {
    if (!path.endsWith('.wasm')) return undefined;
    return `
      import { readFileSync } from 'node:fs';
      export default new WebAssembly.Module(readFileSync(${JSON.stringify(path)}));`;
  },
};

/**
 * Two projects: `worker` runs inside workerd against the simulator's R2, D1 and Durable Objects; `node` runs what needs a
 * file system, native tools or a real server (`*.node.test.ts`).
 */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            // Without an account there is no Workers AI: the tests bring their own.
            remoteBindings: false,
            miniflare: {
              bindings: {
                ADMIN_TOKEN: 'test-admin-token-0123456789',
                SIGNING_KEY: 'test-signing-key-0000000000000000',
                AI_PROVIDER: 'embedded',
                // One, because the test runner switches off what several of one isolate rest on (see test/batch/lane.test.ts).
                LANES: '1',
                TEST_MIGRATIONS: await readD1Migrations(migrations),
              },
            },
          })),
        ],
        test: {
          name: 'worker',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.node.test.ts'],
          setupFiles: ['test/support/apply-migrations.ts'],
          // One runtime for all files: starting one for each takes longer than the tests. They share storage, so they name what they store.
          isolate: false,
          fileParallelism: false,
        },
      },
      {
        plugins: [compiledWasm],
        test: {
          name: 'node',
          server: { deps: { inline: [/\.wasm$/] } },
          include: ['test/**/*.node.test.ts'],
          // Several start a server of their own: one after another, or they would time each other out.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
