import { DurableObject } from 'cloudflare:workers';

export class AccountLedger extends DurableObject {}
export class CodecLane extends DurableObject {}

export default { fetch: () => new Response('not yet') } satisfies ExportedHandler;
