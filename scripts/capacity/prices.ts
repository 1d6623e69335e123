/** What Cloudflare asks for a unit, beyond what the Workers Paid plan includes; in US dollars, as read on the day below. */
export interface Price {
  readonly dollars: number;
  readonly unit: string;
  readonly source: string;
}

export const PRICES_READ_ON = '2026-11-22';

const workers = 'developers.cloudflare.com/workers/platform/pricing';
const objects = 'developers.cloudflare.com/durable-objects/platform/pricing';
const r2 = 'developers.cloudflare.com/r2/pricing';

export const prices = {
  requests: { dollars: 0.3e-6, unit: 'request to the Worker', source: workers },
  cpuMs: { dollars: 0.02e-6, unit: 'millisecond of CPU', source: workers },
  objectCalls: { dollars: 0.15e-6, unit: 'call of a Durable Object, alarms included', source: objects },
  objectGbSeconds: { dollars: 12.5e-6, unit: 'GB-second of a Durable Object (128 MB while it works)', source: objects },
  rowsWritten: {
    dollars: 1e-6,
    unit: 'row written by a Durable Object, alarms that are set included',
    source: objects,
  },
  classA: { dollars: 4.5e-6, unit: 'class A operation of R2 (put, list, parts)', source: r2 },
  classB: { dollars: 0.36e-6, unit: 'class B operation of R2 (get, head)', source: r2 },
  gbMonths: { dollars: 0.015, unit: 'GB-month in R2', source: r2 },
  logBytes: {
    dollars: 0.25e-9,
    unit: 'byte of Workers Logs',
    source: 'reported for 2026-12-01; not found in the documentation',
  },
} as const satisfies Readonly<Record<string, Price>>;

export type CostItem = keyof typeof prices;
