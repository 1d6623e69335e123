import { markdownTable } from '../markdown-table.ts';
import { costOf, costOfMix, unitsOf } from './cost.ts';
import { GOAL_SECONDS, lanesNeeded, mostImages } from './lanes-needed.ts';
import type { Measured } from './measure.ts';
import { PRICES_READ_ON, prices } from './prices.ts';
import { mean, quantile } from './quantile.ts';
import { type Found, parts, type ServiceTimes, simulate } from './service-model.ts';
import { DEFAULT_LANES, platformSeconds, rates, serviceTimes, situation } from './situations.ts';
import { kinds } from './workload.ts';

/** The texts that are made, by the names of their markers in docs/operations.md. */
export type Report = Readonly<Record<'capacity' | 'lanes' | 'cost', string>>;

const SECONDS_A_MONTH = 30 * 24 * 3600;
const LANES = [8, 16, 32, 64, 128];

export function capacityReport(measured: Measured): Report {
  const times = serviceTimes(measured);
  return { capacity: capacityText(measured, times), lanes: lanesText(times), cost: costText(measured) };
}

/** The document with every generated part as the model has it now. @throws Error when one has no markers */
export function fillReport(document: string, report: Report): string {
  return Object.entries(report).reduce((text, [name, made]) => {
    const markers = new RegExp(`(<!-- made by npm run capacity: ${name} -->\n)[\\s\\S]*?(<!-- end -->)`);
    if (!markers.test(text)) throw new Error(`docs/operations.md lacks the markers of "${name}".`);
    return text.replace(markers, (_, start: string, end: string) => `${start}${made}${end}`);
  }, document);
}

function capacityText(measured: Measured, times: ServiceTimes): string {
  const cost = costOfMix(measured);
  const rows = rates.flatMap((rate) => {
    const needed = lanesNeeded(times, (lanes) => situation(rate, lanes));
    const choices = [...new Set([DEFAULT_LANES, needed ?? DEFAULT_LANES])];
    return choices.map((lanes) => {
      const found = simulate(situation(rate, lanes), times);
      const { imagesPerSecond, colos } = rate;
      return [
        `${count(imagesPerSecond)} over ${colos} data ${colos === 1 ? 'centre' : 'centres'}`,
        `${lanes}${lanes === needed ? ' (needed)' : ''}`,
        seconds(quantile(found.waits, 0.5)),
        seconds(quantile(found.waits, 0.99)),
        percent(found.refused / found.images),
        percent(found.cold / found.images),
        loads(found),
        `$${count(Math.round((cost / 1000) * imagesPerSecond * SECONDS_A_MONTH * served(found)))}`,
      ];
    });
  });
  const head = ['Images a second', 'Lanes', 'Wait p50', 'p99', 'Refused', 'Cold', 'Busiest parts', 'A month'];
  return `${markdownTable(head, rows)}\n${assumptions(measured, times)}\n`;
}

function assumptions({ date, machine }: Measured, times: ServiceTimes): string {
  const mix = kinds.map(({ name, share }) => `${percent(share)} ${name}`).join(', ');
  const engine = mean(times.kinds.map(({ share, engineSeconds }) => share * engineSeconds * times.kinds.length));
  const { storage, ledgerCall, query, cold } = platformSeconds;
  return [
    `Measured on ${date} (${machine}): an image has the engine for ${engine.toFixed(2)} s on average of the mix ${mix}.`,
    `Assumed of the platform: ${ms(storage)} of R2 around an image, ${ms(ledgerCall)} a call of a ledger, ${ms(query)} a query of D1, an isolate of its own for`,
    `each lane, gone after ${cold.afterSeconds} s without work and started again in ${ms(cold.seconds)}.`,
  ].join('\n');
}

function lanesText(times: ServiceTimes): string {
  const rate = rates[1];
  const rows = LANES.map((lanes) => {
    const most = (lanesPerIsolate: number) =>
      mostImages(times, (imagesPerSecond) => situation({ ...rate, imagesPerSecond }, lanes, { lanesPerIsolate }));
    const slow = simulate(situation(rates[0], lanes), times);
    return [lanes, most(1).toFixed(0), most(4).toFixed(1), percent(slow.cold / slow.images)];
  });
  const goal = `Images a second within the goal (p99 ≤ ${GOAL_SECONDS} s, none refused)`;
  return markdownTable(['`LANES`', goal, 'the same with four lanes in an isolate', 'Cold at 1 image a second'], rows);
}

function costText(measured: Measured): string {
  const items = Object.entries(prices).map(([item, { unit, dollars }]) => {
    const cells = measured.kinds.map((kind) => {
      const cost = costOf(kind)[item as keyof typeof prices];
      return `${amount(unitsOf(kind)[item as keyof typeof prices])}: $${cost.toFixed(4)}`;
    });
    return [unit, `$${Number((dollars * 1e6).toPrecision(3))}`, ...cells];
  });
  const totals = measured.kinds.map(
    (kind) =>
      `**$${Object.values(costOf(kind))
        .reduce((a, b) => a + b)
        .toFixed(3)}**`,
  );
  const head = ['For one image; $ for 1,000', '$ a million', ...measured.kinds.map(({ name }) => name)];
  const sources = [...new Set(Object.values(prices).map(({ source }) => source))].join('; ');
  return [
    markdownTable(head, [...items, ['**together**', '', ...totals]]),
    `The usual mix: **$${costOfMix(measured).toFixed(3)}** for 1,000 images. Prices beyond what is included, as read on ${PRICES_READ_ON}: ${sources}.\n`,
  ].join('\n');
}

/** Every part, the busiest first; the first is what saturates first. */
function loads({ load }: Found): string {
  const sorted = parts.toSorted((a, b) => load[b] - load[a]);
  return sorted
    .slice(0, 3)
    .map((part) => `${part} ${percent(Math.min(1, load[part]))}`)
    .join(', ');
}

function served({ images, refused }: Found): number {
  return 1 - refused / images;
}

function amount(value: number): string {
  return value < 0.001 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}

const count = (value: number) => value.toLocaleString('en-GB');
const seconds = (value: number) => `${value.toFixed(1)} s`;
const percent = (share: number) =>
  share > 0 && share < 0.001 ? '< 0.1 %' : `${Number((100 * share).toPrecision(2))} %`;
const ms = (value: number) => `${Math.round(value * 1000)} ms`;
