import { series } from '../platform/counters.ts';
import { definitions } from './definitions.ts';

/** The media type of what `prometheusText` makes (Prometheus, "Exposition formats"). */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Sums = Readonly<Record<string, number>>;

/**
 * Sums by series as Prometheus reads them. Buckets, which are stored each for itself, are added up to those of all values up to their bound.
 * What no definition knows any more is left out.
 */
export function prometheusText(sums: Sums): string {
  const blocks = Object.entries(definitions).map(([name, definition]) => {
    const buckets = 'buckets' in definition ? definition.buckets : undefined;
    const lines = buckets === undefined ? counterLines(name, sums) : histogramLines(name, buckets, sums);
    const type = buckets === undefined ? 'counter' : 'histogram';
    return [`# HELP ${name} ${definition.help}`, `# TYPE ${name} ${type}`, ...lines];
  });
  return `${blocks.flat().join('\n')}\n`;
}

function counterLines(name: string, sums: Sums): string[] {
  return named(name, sums).map(([key, value]) => `${key} ${value}`);
}

function histogramLines(name: string, buckets: readonly number[], sums: Sums): string[] {
  return named(`${name}_sum`, sums).flatMap(([key, sum]) => {
    const labels = labelsOf(key);
    const bounds = [...buckets.map(String), '+Inf'];
    let total = 0;
    const cumulative = bounds.map((le) => {
      total += sums[series(`${name}_bucket`, { ...labels, le })] ?? 0;
      return `${series(`${name}_bucket`, { ...labels, le })} ${total}`;
    });
    return [...cumulative, `${series(`${name}_sum`, labels)} ${sum}`, `${series(`${name}_count`, labels)} ${total}`];
  });
}

/** The series of one name, in alphabetical order. */
function named(name: string, sums: Sums): [key: string, value: number][] {
  return Object.entries(sums)
    .filter(([key]) => key === name || key.startsWith(`${name}{`))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The labels of a series as `series` has written them. */
function labelsOf(key: string): Record<string, string> {
  const pairs = key.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries([...pairs].map(([, label, value]) => [label!, unescaped(value!)]));
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}
