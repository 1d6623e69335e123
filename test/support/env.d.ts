import type { D1Migration } from 'cloudflare:test';

declare global {
  namespace Cloudflare {
    interface Env {
      readonly BUCKET: R2Bucket;
      readonly DB: D1Database;
      readonly TEST_MIGRATIONS: D1Migration[];
    }
  }
}
