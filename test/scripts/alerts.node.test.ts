import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileErrorCodes, requestErrorCodes } from '../../src/errors.ts';
import { definitions } from '../../src/metrics/definitions.ts';

const docs = join(import.meta.dirname, '../../docs');
const alerts = readFileSync(join(docs, 'alerts.yml'), 'utf8');
const operations = readFileSync(join(docs, 'operations.md'), 'utf8');

/** The heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

test('every metric that alerts and pages name is one that is counted', () => {
  const named = all(alerts + operations, /\b(plume_[a-z_]+)\b/g);
  const known = new Set<string>(
    Object.entries(definitions).flatMap(([name, definition]) =>
      'buckets' in definition ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('every outcome that they name is a code of the service', () => {
  const codes = new Set<string>(['done', 'lost', ...requestErrorCodes, ...fileErrorCodes]);
  const named = all(alerts, /outcome=~?"([^"]+)"/g).flatMap((pattern) => pattern.split('|'));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((code) => !codes.has(code))).toEqual([]);
});

describe('every alert', () => {
  const pages = all(alerts, /runbook: "docs\/operations\.md#([^"]+)"/g);

  test('has a page in the runbook', () => {
    const anchors = all(operations, /^#+ (.+)$/gm).map(anchorOf);
    expect(pages).toHaveLength(all(alerts, /- alert: (\w+)/g).length);
    expect(pages.filter((page) => !anchors.includes(page))).toEqual([]);
  });

  test('and every page of the runbook an alert, or a link', () => {
    const [, runbook = ''] = /^## Runbook$((?:.|\n)*?)^## /m.exec(`${operations}`) ?? [];
    const headings = all(runbook, /^### (.+)$/gm).map(anchorOf);
    const linked = all(operations, /\]\(#([\w-]+)\)/g);
    expect(headings.length).toBeGreaterThan(8);
    expect(headings.filter((heading) => !pages.includes(heading) && !linked.includes(heading))).toEqual([]);
  });
});

test('links within docs/operations.md lead somewhere', () => {
  const anchors = all(operations, /^#+ (.+)$/gm).map(anchorOf);
  expect(all(operations, /\]\(#([\w-]+)\)/g).filter((anchor) => !anchors.includes(anchor))).toEqual([]);
});
