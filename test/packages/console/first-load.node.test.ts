import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const built = join(root, 'build/console');
const packed = (path: string) => gzipSync(readFileSync(join(built, path)), { level: 9 }).length;

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/console.ts')], { cwd: root });
});

describe('the built console', () => {
  const page = () => readFileSync(join(built, 'console/index.html'), 'utf8');
  const named = () => [...page().matchAll(/(?:src|href)="\/(console\/[^"]+)"/g)].map(([, path]) => path!);

  test('is at most 60 kB of JavaScript and 100 kB at first load, gzipped', () => {
    const scripts = named().filter((path) => path.endsWith('.js'));
    const sheets = named().filter((path) => path.endsWith('.css'));
    expect(scripts).toHaveLength(1);
    expect(sheets).toHaveLength(1);
    // With the largest of the other languages, which is one more file.
    const tables = readdirSync(join(built, 'console/assets')).filter(
      (name) => name.endsWith('.js') && !scripts[0]!.endsWith(name),
    );
    expect(tables.length).toBeGreaterThanOrEqual(14);
    const table = Math.max(...tables.map((name) => packed(`console/assets/${name}`)));
    expect(packed(scripts[0]!) + table).toBeLessThanOrEqual(60_000);
    expect([...named(), 'console/index.html'].reduce((sum, path) => sum + packed(path), table)).toBeLessThanOrEqual(
      100_000,
    );
  });

  test('has a page at every address, and nothing in it that its policy would refuse', () => {
    for (const name of ['history', 'usage', 'keys', 'operator']) {
      expect(readFileSync(join(built, 'console', name, 'index.html'), 'utf8')).toBe(page());
    }
    expect(page()).not.toMatch(/<script(?![^>]*src=)|<style|style=|https?:\/\//);
  });

  test('its policy is the strictest that it works with', () => {
    const headers = readFileSync(join(built, '_headers'), 'utf8');
    expect(headers).toContain(
      "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(headers).toMatch(/Referrer-Policy: no-referrer/);
  });

  test('is not built again when nothing has changed', () => {
    const before = readFileSync(join(root, 'build/console.sha256'), 'utf8');
    execFileSync(process.execPath, [join(root, 'scripts/console.ts')], { cwd: root });
    expect(readFileSync(join(root, 'build/console.sha256'), 'utf8')).toBe(before);
  });
});
