import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nameOf, readSourceFiles, type SourceFile } from './support/source-file.ts';

const root = join(import.meta.dirname, '..');
/** The source of the WebAssembly kernels is AssemblyScript: another compiler's, with globals instead of imports. */
const kernelSource = 'src/image/kernels/assembly/';
const files = readSourceFiles(root, 'src', [kernelSource]);

/**
 * Imports point inward: index → app → services, http → batch → image, credits, delivery, describe, keys → errors.
 * Each part with all that it may import; parts of one rank do not know each other.
 */
const core = ['image', 'credits', 'delivery', 'describe', 'keys'];
const base = ['errors', 'limits', 'platform', 'metrics'];
const mayImport: Readonly<Record<string, readonly string[]>> = {
  index: ['app', 'services', 'batch', ...core, ...base],
  app: ['services', 'http', 'batch', ...core, ...base],
  services: ['settings', 'batch', ...core, ...base],
  http: ['batch', ...core, ...base],
  batch: ['settings', ...core, ...base],
  image: ['errors'],
  credits: base,
  delivery: base,
  describe: base,
  keys: base,
  settings: ['describe', ...base],
  errors: [],
  limits: [],
  platform: [],
  metrics: ['limits', 'platform'],
};

/** Imports that the ranks forbid, each with its reason. */
const allowedAcross: Readonly<Record<string, string>> = {
  'keys → src/credits/plans.ts': 'a caller is known with the plan of its account, so that no request asks D1 twice',
};

/** Longest file, in lines; past it a file tells more than one thing. Exceptions with their reason. */
const LINES = 300;
const longerFor: Readonly<Record<string, string>> = {};

/** Files whose exports do not repeat a word of their name, with what the name stands for. */
const namedOtherwise: Readonly<Record<string, string>> = {
  'src/http/contract.ts': 'all shapes of the interface, the contract',
  'src/credits/ledger-idempotency.ts': 'the rows in which the ledger keeps idempotency records',
  'src/delivery/signed-url.ts': 'the download URL, whose making and checking belong together',
  'src/image/colour/hdr.ts': 'the transfer functions of high dynamic range, PQ and HLG',
  'src/image/formats/avif/file-type.ts': 'the FileTypeBox (ISO/IEC 14496-12, 4.3)',
  'src/image/formats/webp/encode/container.ts': 'how the WebP container and its frame start',
  'src/image/formats/webp/vp8-tables.ts': 'the tables of RFC 6386 that encoder and decoder share',
  'src/image/formats/avif/sequence-track.ts': 'the track of an image sequence, of which only its length matters',
};

function part(path: string): string {
  return /^src\/([^/.]+)/.exec(path)?.[1] ?? path;
}

/** `what` of every file that has some, as `path: what`. */
function violations(what: (file: SourceFile) => readonly string[], among = files): string[] {
  return among.flatMap((file) => what(file).map((fault) => `${file.path}: ${fault}`));
}

function inside(...folders: string[]): (file: SourceFile) => boolean {
  return ({ path }) => folders.some((folder) => path.startsWith(folder));
}

const outside = (...folders: string[]) => files.filter((file) => !inside(...folders)(file));
const importsOf = (library: RegExp) => (file: SourceFile) => file.specifiers.filter((name) => library.test(name));

test('the tree was read', () => {
  expect(files.length).toBeGreaterThan(50);
  const app = files.find(({ path }) => path === 'src/app.ts');
  expect(app?.imports).toContain('src/services.ts');
  expect(app?.specifiers).toContain('hono');
  expect(app?.exports).toEqual(['createApp']);
});

describe('imports', () => {
  test('point inward: index → app → services, http → batch → image, credits, delivery, describe, keys → errors', () => {
    const outward = (file: SourceFile) =>
      file.imports
        .filter((target) => target.startsWith('src/') && part(target) !== part(file.path))
        .filter((target) => !mayImport[part(file.path)]?.includes(part(target)))
        .filter((target) => allowedAcross[`${part(file.path)} → ${target}`] === undefined)
        .map((target) => `must not import ${target}; ${part(file.path)} may import ${mayImport[part(file.path)]}`);
    expect(violations(outward)).toEqual([]);
  });

  test('every part has its rank', () => {
    const unknown = files.filter(({ path }) => !path.endsWith('.d.ts') && mayImport[part(path)] === undefined);
    expect(unknown.map(({ path }) => `${path}: say in mayImport what ${part(path)} may import`)).toEqual([]);
  });

  test('leave src only for compiled kernels and codecs, and for the version', () => {
    const leaving = (file: SourceFile) => file.imports.filter((target) => !target.startsWith('src/'));
    const foreign = violations(leaving).filter((found) => {
      return found !== 'src/app.ts: package.json' && !/^src\/image\/.*: build\/[\w-]+\.wasm$/.test(found);
    });
    expect(foreign).toEqual([]);
  });

  test('have no cycles', () => {
    expect(cycles(files)).toEqual([]);
  });

  test('of hono are in http and app only', () => {
    expect(violations(importsOf(/^hono(\/|$)/), outside('src/http/', 'src/app.ts'))).toEqual([]);
  });

  test('of @jsquash are in image/formats only', () => {
    expect(violations(importsOf(/^@jsquash\//), outside('src/image/formats/'))).toEqual([]);
  });

  test('of the platform are not in image', () => {
    expect(violations(importsOf(/^(cloudflare:|hono|zod)/), files.filter(inside('src/image/')))).toEqual([]);
  });
});

test('only kernels touch WebAssembly memory', () => {
  const touching = (file: SourceFile) => (file.identifiers.has('WebAssembly.Memory') ? ['WebAssembly.Memory'] : []);
  expect(violations(touching, outside('src/image/kernels/'))).toEqual([]);
});

test('only services sees Env', () => {
  const seeing = (file: SourceFile) =>
    file.identifiers.has('Env') ? ['Env: take the one binding that is needed'] : [];
  expect(violations(seeing, outside('src/services.ts'))).toEqual([]);
});

test('only the entry and Durable Objects import from the platform', () => {
  const durableObject = ({ identifiers }: SourceFile) => identifiers.has('DurableObject');
  const others = outside('src/index.ts').filter((file) => !durableObject(file));
  expect(violations(importsOf(/^cloudflare:/), others)).toEqual([]);
});

describe('files', () => {
  test('are no barrels', () => {
    const barrels = (file: SourceFile) =>
      file.barrel || file.exports.includes('*') ? ['only passes on others’ exports'] : [];
    expect(violations(barrels)).toEqual([]);
  });

  test('and folders have names that say something', () => {
    const empty = /(^|[/.-])(utils?|helpers?|common|types?|misc|shared|lib|index)([/.-]|$)/;
    const tree = [...files, ...readSourceFiles(root, 'test'), ...readSourceFiles(root, 'scripts')];
    const named = tree.filter(({ path }) => path !== 'src/index.ts' && empty.test(path.replace(/\.ts$/, '')));
    // `file-type` is the name of a box (ISO/IEC 14496-12, 4.3).
    expect(named.map(({ path }) => path).filter((path) => !/avif\/file-type(\.|$)/.test(path))).toEqual([]);
  });

  test('are named in kebab case, after what they export', () => {
    const misnamed = (file: SourceFile) => {
      const name = nameOf(file.path);
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return ['is not kebab case'];
      if (namedOtherwise[file.path] !== undefined || file.exports.some((exported) => sharesWord(name, exported)))
        return [];
      return [`exports ${file.exports.join(', ')}`];
    };
    const modules = files.filter(({ path }) => path !== 'src/index.ts' && !path.endsWith('.d.ts'));
    expect(violations(misnamed, modules)).toEqual([]);
  });

  test(`have at most ${LINES} lines`, () => {
    const long = files.filter(({ lines, path }) => lines > LINES && longerFor[path] === undefined);
    expect(long.map(({ path, lines }) => `${path} has ${lines} lines: split it, or say in longerFor why not`)).toEqual(
      [],
    );
  });

  test('that are exceptions are there', () => {
    const paths = new Set(files.map(({ path }) => path));
    const across = Object.keys(allowedAcross).map((edge) => edge.split(' → ')[1]!);
    const named = [...Object.keys(longerFor), ...Object.keys(namedOtherwise), ...across];
    expect(named.filter((path) => !paths.has(path))).toEqual([]);
  });
});

/** Whether the export's name has a word of the file's name, singular or plural: `result-store` and `ResultStore`. */
function sharesWord(fileName: string, exported: string): boolean {
  const words = exported.replaceAll('_', '').toLowerCase();
  return fileName.split('-').some((word) => words.includes(word.replace(/s$/, '')));
}

/** Every cycle that a walk along the imports meets, as `a → b → a`. */
function cycles(all: readonly SourceFile[]): string[] {
  const importsByPath = new Map(all.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const next of importsByPath.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of all) walk(path, []);
  return found;
}

describe('the checks themselves', () => {
  const file = (path: string, imports: string[]): SourceFile => {
    return { path, imports, lines: 1, specifiers: imports, exports: [], barrel: false, identifiers: new Set() };
  };

  test('find a cycle', () => {
    const ring = [file('a', ['b']), file('b', ['c']), file('c', ['a']), file('d', ['a'])];
    expect(cycles(ring)).toEqual(['a → b → c → a']);
    expect(cycles([file('a', ['b', 'c']), file('b', ['c']), file('c', [])])).toEqual([]);
  });

  test('tell a name that fits from one that does not', () => {
    expect(sharesWord('result-store', 'ResultStore')).toBe(true);
    expect(sharesWord('errors', 'RequestError')).toBe(true);
    expect(sharesWord('plans', 'reserve')).toBe(false);
  });
});
