import { env } from 'cloudflare:workers';
import { createApp } from './app.ts';
import { createServices } from './services.ts';

// biome-ignore lint/performance/noBarrelFile: the runtime finds Durable Object classes among the entry's exports
export { BatchRunner } from './batch/batch-runner.ts';
export { CodecLane } from './batch/lane.ts';
export { AccountLedger } from './credits/ledger.ts';
export { MetricsStore } from './metrics/metrics-store.ts';

const services = createServices(env);
const app = createApp(services);

export default {
  fetch(request, bindings, context) {
    const answer = Promise.resolve(app.fetch(request, bindings, context));
    context.waitUntil(answer.then(() => services.metrics.flush()));
    return answer;
  },
  scheduled: () => services.sweep(),
} satisfies ExportedHandler;
