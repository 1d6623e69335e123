import { afterAll, beforeAll } from 'vitest';
import { access } from './checks/access.ts';
import { administration } from './checks/administration.ts';
import { ai } from './checks/ai.ts';
import { downloads } from './checks/downloads.ts';
import { formats } from './checks/formats.ts';
import { http } from './checks/http.ts';
import { requestFields } from './checks/request-fields.ts';
import { results } from './checks/results.ts';
import { usage } from './checks/usage.ts';
import { watermarks } from './checks/watermarks.ts';
import { Client } from './support/client.ts';
import { Server } from './support/server.ts';

/**
 * The whole interface over real HTTP, against the service as `npm start` runs it. Nothing of the service's code is used
 * but the signing of links, to make expired ones without waiting.
 */
const server = new Server();
const client = new Client(server);

beforeAll(async () => {
  await server.start({ RATE_LIMIT_PER_MINUTE: '1000000', DOWNLOAD_TTL_SECONDS: '3600', CORS_ORIGINS: '*' });
});
afterAll(() => server.dispose());

for (const checks of [
  http,
  requestFields,
  results,
  access,
  usage,
  administration,
  downloads,
  formats,
  watermarks,
  ai,
]) {
  checks(() => client);
}
