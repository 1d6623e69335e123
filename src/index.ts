import { env } from 'cloudflare:workers';
import { createApp } from './app.ts';
import { createServices } from './services.ts';

// biome-ignore lint/performance/noBarrelFile: the runtime finds Durable Object classes among the entry's exports
export { BatchRunner } from './batch/batch-runner.ts';
export { CodecLane } from './batch/lane.ts';
export { AccountLedger } from './credits/ledger.ts';

const services = createServices(env);
const app = createApp(services);

export default {
  fetch: (request, bindings, context) => app.fetch(request, bindings, context),
  scheduled: async () => services.log({ level: 'info', swept: await services.sweep() }),
} satisfies ExportedHandler;
