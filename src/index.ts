import { DurableObject } from 'cloudflare:workers';

// biome-ignore lint/performance/noBarrelFile: the runtime finds Durable Object classes among the entry's exports
export { AccountLedger } from './credits/ledger.ts';
export class CodecLane extends DurableObject {}

export default { fetch: () => new Response('not yet') } satisfies ExportedHandler;
