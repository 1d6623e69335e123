import { join } from 'node:path';

/** wrangler's program itself: its `bin` would put one more process between the starter and the server. */
export function wranglerProgram(root: string): string {
  return join(root, 'node_modules/wrangler/wrangler-dist/cli.js');
}

/** The environment that keeps wrangler on this machine, quiet, and out of other wranglers' way. */
export function wranglerEnvironment(stateFolder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    WRANGLER_HIDE_BANNER: 'true',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_LOG_PATH: join(stateFolder, 'wrangler'),
    WRANGLER_REGISTRY_PATH: join(stateFolder, 'registry'),
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    X_LOCAL_EXPLORER: 'false',
    X_LOCAL_OBSERVABILITY: 'false',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
  };
}
