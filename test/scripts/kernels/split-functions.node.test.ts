import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import createAvif from '@jsquash/avif/codec/enc/avif_enc.js';
import { defaultOptions as avifOptions } from '@jsquash/avif/meta.js';
import createJpeg from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions as jpegOptions } from '@jsquash/jpeg/meta.js';
import { main } from 'assemblyscript/asc';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitFunctions } from '../../../scripts/kernels/split-functions.ts';
import { joinSections, readSections, section } from '../../../scripts/kernels/wasm-binary.ts';
import { bodyOf, readCodes } from '../../../scripts/kernels/wasm-module.ts';

const require = createRequire(import.meta.url);

/** What `branches.as` exports. */
type Calls = Readonly<
  Record<'collatz' | 'search' | 'table' | 'sorted', (seed: number, count: number) => number | bigint> & {
    readonly keep: (value: number) => void;
    readonly whatWasKept: () => number;
  }
>;

/** `branches.as`, compiled. */
async function branches(optimisation: string): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const flags = [
    optimisation,
    '--noAssert',
    '--initialMemory',
    '1',
    '--runtime',
    'stub',
    '--use',
    'abort=',
    '--disable',
    'bulk-memory',
    '--disable',
    'nontrapping-f2i',
  ];
  const { error, stderr } = await main(
    ['branches.ts', '--outFile', 'out', '--baseDir', import.meta.dirname, ...flags],
    {
      readFile: (name, base) => (name === 'branches.ts' ? readFileSync(join(base, 'branches.as'), 'utf8') : null),
      writeFile: (_, contents) => {
        if (typeof contents !== 'string') binary = contents;
      },
    },
  );
  if (error || binary === undefined) throw new Error(stderr.toString());
  return binary;
}

function cut(module: Uint8Array, piece: number): Uint8Array {
  return joinSections(splitFunctions(readSections(module), { function: piece, piece }));
}

function longest(module: Uint8Array): number {
  return Math.max(...readCodes(bodyOf(readSections(module), section.code)).map(({ length }) => length));
}

function callsOf(module: Uint8Array): Calls {
  // The types are the platform's, which compiles nothing from bytes; Node does.
  const compiled = Reflect.construct(WebAssembly.Module, [module]) as WebAssembly.Module;
  return new WebAssembly.Instance(compiled).exports as unknown as Calls;
}

describe.each(['-O0', '-O1', '-O3'])('functions compiled with %s', (optimisation) => {
  test.each([10, 20, 35, 60, 110])('compute the same in pieces of %i bytes', async (piece) => {
    const module = await branches(optimisation);
    const [whole, cutUp] = [callsOf(module), callsOf(cut(module, piece))];
    expect(readCodes(bodyOf(readSections(cut(module, piece)), section.code)).length).toBeGreaterThan(
      readCodes(bodyOf(readSections(module), section.code)).length,
    );
    fc.assert(
      fc.property(fc.nat(), fc.nat(300), (seed, count) => {
        for (const name of ['collatz', 'search', 'table', 'sorted'] as const) {
          expect([name, cutUp[name](seed, count)]).toEqual([name, whole[name](seed, count)]);
        }
        for (const calls of [whole, cutUp]) calls.keep(seed);
        expect(cutUp.whatWasKept()).toBe(whole.whatWasKept());
      }),
      { numRuns: 300 },
    );
  });
});

test('a piece that calls a piece keeps its own way out apart from that one’s', async () => {
  // The first version had one local for both: what the inner piece had answered was taken for the outer one's answer.
  const module = await branches('-O0');
  const [whole, cutUp] = [callsOf(module), callsOf(cut(module, 10))];
  for (let wanted = 0; wanted < 977; wanted++) expect(cutUp.search(wanted, 30)).toBe(whole.search(wanted, 30));
});

describe('library codecs in small pieces give the same files', () => {
  const [width, height] = [150, 110];
  const pixels = Uint8Array.from({ length: width * height * 4 }, (_, at) => {
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)];
    return at % 4 === 3 ? 255 : (x * y * ((at % 4) + 3) + ((x >> 4) ^ (y >> 3)) * 40) >> 3;
  });
  const [avif, jpeg] = ['avif/codec/enc/avif_enc.wasm', 'jpeg/codec/enc/mozjpeg_enc.wasm'].map((name) =>
    readFileSync(require.resolve(`@jsquash/${name}`)),
  );

  test.each([1000])('AVIF, pieces of %i bytes', { timeout: 60_000 }, async (piece) => {
    const options = { ...avifOptions, quality: 60, speed: 6 };
    const [whole, cutUp] = await Promise.all(
      [avif!, cut(avif!, piece)].map(async (wasmBinary) =>
        (await createAvif({ wasmBinary: new Uint8Array(wasmBinary).buffer })).encode(pixels, width, height, options),
      ),
    );
    expect(longest(cut(avif!, piece))).toBeLessThan(longest(avif!) / 3);
    expect(cutUp).toEqual(whole);
  });

  test.each([60, 1000])('JPEG, pieces of %i bytes', { timeout: 60_000 }, async (piece) => {
    const [whole, cutUp] = await Promise.all(
      [jpeg!, cut(jpeg!, piece)].map(async (wasmBinary) =>
        (await createJpeg({ wasmBinary: new Uint8Array(wasmBinary).buffer })).encode(
          pixels,
          width,
          height,
          jpegOptions,
        ),
      ),
    );
    expect(longest(cut(jpeg!, piece))).toBeLessThan(longest(jpeg!));
    expect(cutUp).toEqual(whole);
  });
});

test('a module with instructions that it does not know is refused, not changed', () => {
  const kernel = readFileSync(join(import.meta.dirname, '../../../build/resample.wasm'));
  expect(() => cut(kernel, 100)).toThrow('unknown instruction');
});
