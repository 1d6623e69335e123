import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

const migrations = fileURLToPath(new URL('./src/database/migrations', import.meta.url));

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
            wrangler: { configPath: './wrangler.jsonc' },
            miniflare: {
              bindings: {
                ADMIN_TOKEN: 'test-admin-token',
                SIGNING_KEY: 'test-signing-key-0000000000000000',
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
        },
      },
      {
        test: {
          name: 'node',
          include: ['test/**/*.node.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
