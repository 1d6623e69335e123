import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fillTables } from '../../scripts/readme/fill-tables.ts';
import { settingNames } from '../../scripts/start/settings.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const api = readFileSync(join(root, 'docs/api.md'), 'utf8');

describe('docs/api.md', () => {
  test('its tables are those of the source (else: npx node scripts/readme-tables.ts)', () => {
    expect(api).toBe(fillTables(api));
  });

  test('a table that was changed by hand is made anew, the text around it stays', () => {
    const stale = api.replace('| free | 100 |', '| free | 999 |');
    expect(stale).not.toBe(api);
    expect(fillTables(stale)).toBe(api);
  });

  test('a page without a table’s markers is refused', () => {
    expect(() => fillTables('# Plume\n')).toThrow(/markers/);
  });
});

describe('README', () => {
  test('every path that it names is there', () => {
    const named = [...readme.matchAll(/`((?:src|test|scripts)\/[\w./-]+)`|^((?:src)\/\S+) /gm)].map(
      ([, quoted, listed]) => quoted ?? listed!,
    );
    expect(named.length).toBeGreaterThan(8);
    for (const path of named) expect({ path, there: existsSync(join(root, path)) }).toEqual({ path, there: true });
  });
});

test('every setting is explained in docs/operations.md', () => {
  const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  for (const name of settingNames) expect(operations).toMatch(new RegExp(`^\\|.*\`${name}\`.*\\|$`, 'm'));
});
