/// <reference types="@cloudflare/vitest-plugin/types" />
import type { D1Migration } from 'cloudflare:test';

declare global {
  namespace Cloudflare {
    /** What the tests' runtime binds beside what src/services.ts declares. */
    interface Env {
      readonly TEST_MIGRATIONS: D1Migration[];
    }
    interface GlobalProps {
      mainModule: typeof import('../../src/index.ts');
      durableNamespaces: 'AccountLedger' | 'BatchRunner' | 'CodecLane';
    }
  }
}
