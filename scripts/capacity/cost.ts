import type { KindMeasured, Measured } from './measure.ts';
import { type CostItem, prices } from './prices.ts';
import { kinds } from './workload.ts';

/** How long a result is kept by default: RESULT_TTL_SECONDS and DOWNLOAD_TTL_SECONDS, in months. */
const KEPT_MONTHS = 25 / (24 * 30);

/** Units of what is paid for, for one image of a kind. */
export function unitsOf({ units, bytesOut }: KindMeasured): Readonly<Record<CostItem, number>> {
  return { ...units, gbMonths: (bytesOut / 1e9) * KEPT_MONTHS };
}

/** Dollars for 1,000 images of a kind, by item. */
export function costOf(kind: KindMeasured): Readonly<Record<CostItem, number>> {
  const units = Object.entries(unitsOf(kind)) as [CostItem, number][];
  const costs = units.map(([item, count]) => [item, 1000 * count * prices[item].dollars]);
  return Object.fromEntries(costs) as Record<CostItem, number>;
}

/** Dollars for 1,000 images of the usual mix. */
export function costOfMix({ kinds: measured }: Measured): number {
  const cost = (name: string) =>
    Object.values(costOf(measured.find((kind) => kind.name === name)!)).reduce((a, b) => a + b);
  return kinds.reduce((sum, { name, share }) => sum + share * cost(name), 0);
}
