import { expect, test } from 'vitest';
import { count, definitions, observe } from '../../src/metrics/definitions.ts';
import { prometheusText } from '../../src/metrics/prometheus-text.ts';
import { Counters, series } from '../../src/platform/counters.ts';

function linesOf(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(name));
}

test('counters are written with their labels in order, escaped as the format wants it', () => {
  const counters = new Counters();
  count(counters, 'plume_lane_failures_total', { failure: 'passing' }, 2);
  count(counters, 'plume_lane_failures_total', { failure: 'a "b"\\\n' });
  count(counters, 'plume_lane_failures_total', { failure: 'passing' });
  count(counters, 'plume_ai_calls_total', {}, 0);
  const text = prometheusText(counters.take());
  expect(linesOf(text, 'plume_lane_failures_total')).toEqual([
    'plume_lane_failures_total{failure="a \\"b\\"\\\\\\n"} 1',
    'plume_lane_failures_total{failure="passing"} 3',
  ]);
  expect(linesOf(text, 'plume_ai_calls_total')).toEqual([]);
  expect(counters.empty).toBe(true);
});

test('buckets count all values up to their bound, and values above the last one too', () => {
  const counters = new Counters();
  const values = [0.01, 0.02, 0.3, 0.3, 1000];
  for (const value of values) observe(counters, 'plume_request_seconds', { route: '/d/"x"' }, value);
  const lines = linesOf(prometheusText(counters.take()), 'plume_request_seconds');
  const at = (le: string) =>
    Number(
      lines
        .find((line) => line.includes(`le="${le}"`))!
        .split(' ')
        .at(-1),
    );
  for (const bound of definitions.plume_request_seconds.buckets) {
    expect(at(String(bound))).toBe(values.filter((value) => value <= bound).length);
  }
  expect([at('+Inf'), lines.at(-1)]).toEqual([5, 'plume_request_seconds_count{route="/d/\\"x\\""} 5']);
  expect(Number(lines.at(-2)!.split(' ').at(-1))).toBeCloseTo(1000.63);
});

test('every line is one that Prometheus reads', () => {
  const counters = new Counters();
  for (const [name, definition] of Object.entries(definitions)) {
    if ('buckets' in definition) observe(counters, 'plume_batch_seconds', {}, 1);
    else counters.add(name, { route: '/a' });
  }
  const text = prometheusText(counters.take());
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [\d.]+)$/);
  }
});

test('a series has one name, however its labels are given', () => {
  expect(series('a', { c: '1', b: '2' })).toBe(series('a', { b: '2', c: '1' }));
});
