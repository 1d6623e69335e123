import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sources(folder: string): Source[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => {
      const path = `${folder}/${name}`;
      const text = readFileSync(join(root, path), 'utf8');
      const named = /^(?:(?:import|export)\b.*|\}) from '([^']+)';$|^import '([^']+)';$|\bimport\('([^']+)'\)/gm;
      const imports = [...text.matchAll(named)].map(([, from, bare, loaded]) => (from ?? bare ?? loaded)!);
      return { path, text, imports };
    });
}

const client = sources('packages/client/src');
const console = sources('packages/console/src');
const all = [...client, ...console];

const violations = (among: readonly Source[], what: (source: Source) => readonly string[]) =>
  among.flatMap((source) => what(source).map((fault) => `${source.path}: ${fault}`));

test('the trees were read', () => {
  expect(client.length).toBeGreaterThan(10);
  expect(console.length).toBeGreaterThan(30);
  expect(console.find(({ path }) => path.endsWith('session/session.ts'))?.imports).toContain('@plume/client');
});

describe('packages', () => {
  test('know nothing of the Worker’s source, and it nothing of them', () => {
    expect(violations(all, ({ imports }) => imports.filter((name) => /(^|\/)src\//.test(name)))).toEqual([]);
    expect(
      violations(sources('src'), ({ imports }) => imports.filter((name) => /packages\/|@plume\//.test(name))),
    ).toEqual([]);
  });

  test('have the dependencies that they may have', () => {
    const foreign = ({ imports }: Source) => imports.filter((name) => !name.startsWith('.'));
    expect(violations(client, foreign)).toEqual([]);
    const allowed = ['@plume/client', '@preact/signals', 'preact', 'preact/hooks'];
    expect(violations(console, (source) => foreign(source).filter((name) => !allowed.includes(name)))).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/client/package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
  });

  test('have a README and a tsconfig of their own', () => {
    for (const name of readdirSync(join(root, 'packages'))) {
      for (const file of ['README.md', 'tsconfig.json', 'src']) {
        expect({ name, file, there: existsSync(join(root, 'packages', name, file)) }).toEqual({
          name,
          file,
          there: true,
        });
      }
    }
  });

  test('have files of one idea each', () => {
    const long = all.filter(({ path, text }) => text.split('\n').length > 320 && !path.includes('/language/'));
    expect(long.map(({ path, text }) => `${path} has ${text.split('\n').length} lines`)).toEqual([]);
  });
});

describe('the console', () => {
  test('reaches the API through the client; only results are fetched by their links', () => {
    const calls = ({ path, text }: Source) =>
      path.endsWith('optimise/downloads.ts')
        ? []
        : (text.match(/\bfetch\(|XMLHttpRequest|sendBeacon|EventSource/g) ?? []);
    expect(violations(console, calls)).toEqual([]);
  });

  test('sets nothing as HTML and makes no script', () => {
    const html =
      /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function/g;
    expect(violations(all, ({ text }) => text.match(html) ?? [])).toEqual([]);
  });

  test('keeps no secret: what it remembers are settings', () => {
    const kept = ({ path, text }: Source) =>
      path.endsWith('parts/memory.ts') ? [] : (text.match(/(local|session)Storage|indexedDB/g) ?? []);
    expect(violations(console, kept)).toEqual([]);
  });

  test('has every text in its tables', () => {
    const words = ({ path, text }: Source) => {
      if (!path.endsWith('.tsx')) return [];
      // Text between tags that is no expression; names and signs are no text.
      const found = [...text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)+)[^<>{}]*</g)].map(([, words]) => words!);
      return found;
    };
    expect(violations(console, words)).toEqual([]);
  });
});
