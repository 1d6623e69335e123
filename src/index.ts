import { DurableObject, env } from 'cloudflare:workers';
import { createApp } from './app.ts';
import { createServices } from './services.ts';

// biome-ignore lint/performance/noBarrelFile: the runtime finds Durable Object classes among the entry's exports
export { AccountLedger } from './credits/ledger.ts';
export class CodecLane extends DurableObject {}

const services = createServices(env);
const app = createApp(services);

export default {
  fetch: (request, bindings, context) => app.fetch(request, bindings, context),
  scheduled: async () => services.log({ level: 'info', swept: await services.sweep() }),
} satisfies ExportedHandler;
