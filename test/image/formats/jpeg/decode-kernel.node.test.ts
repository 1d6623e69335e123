import { describe, expect, test } from 'vitest';
import { entropyCodedEnd, marker, segments } from '../../../../src/image/formats/jpeg/segments.ts';
import { decodeGuarded, decodePlainly, type Outcome, type Scale, sameOutcome, smallHeader } from './decode-guarded.ts';
import { fixtureFile, fixtures } from './fixtures.ts';
import { mutate } from './mutate.ts';
import { cjpeg, corpusFile, corpusFiles, hasNativeJpeg, jpegtran, testPpm } from './native-jpeg.ts';

/** Mutated files to try: 10,000 and more with PLUME_FUZZ=10000. */
const MUTATIONS = Number(process.env.PLUME_FUZZ ?? 1500);
const scales = [1, 2, 4, 8] as const;
const native = hasNativeJpeg();

async function bothOutcomes(file: Uint8Array, scale: Scale): Promise<[Outcome, Outcome] | undefined> {
  const header = smallHeader(file);
  if (header === undefined) return undefined;
  return [await decodeGuarded(file, header, scale), await decodePlainly(file, header, scale)];
}

async function expectSame(file: Uint8Array, scale: Scale, name: string): Promise<Outcome | undefined> {
  const outcomes = await bothOutcomes(file, scale);
  if (outcomes === undefined) return undefined;
  const [kernel, plain] = outcomes;
  if (!sameOutcome(kernel, plain)) expect.fail(`${name} at 1/${scale}: ${describeDifference(kernel, plain)}`);
  return kernel;
}

function describeDifference(kernel: Outcome, plain: Outcome): string {
  if (typeof kernel === 'string' || typeof plain === 'string') {
    return `${typeof kernel === 'string' ? kernel : 'a picture'} instead of ${typeof plain === 'string' ? plain : 'a picture'}`;
  }
  const at = kernel.findIndex((byte, index) => byte !== plain[index]);
  return `byte ${at} is ${kernel[at]} instead of ${plain[at]}`;
}

/** Small files of every kind. */
function everyKind(): Uint8Array[] {
  const files: Uint8Array[] = Object.values(fixtures).map(fixtureFile);
  if (!native) return files;
  const ppm = testPpm(83, 61);
  const coded = (...args: string[]) => cjpeg(ppm, ...args);
  const subsampled = coded('-sample', '2x2', '-quality', '85');
  files.push(
    ...[subsampled, coded('-sample', '1x1', '-quality', '95'), coded('-sample', '2x1', '-restart', '2')],
    ...[coded('-sample', '1x2', '-quality', '60'), coded('-sample', '4x1'), coded('-sample', '1x4'), coded('-rgb')],
    ...[coded('-sample', '3x2,1x1'), coded('-sample', '1x1,2x2,2x2'), coded('-quality', '1'), coded('-grayscale')],
    ...[coded('-progressive'), coded('-progressive', '-sample', '1x1', '-quality', '98')],
    ...[jpegtran(subsampled, '-progressive', '-restart', '3B'), coded('-restart', '4B', '-quality', '100')],
  );
  return files;
}

/** A scan of AC coefficients, which does not depend on others, again and again, with its own copy of its table each time. */
function repeatScanAndTable(file: Uint8Array, times: number): Uint8Array {
  const all = [...segments(file)];
  const scan = all.find(({ code, dataStart }) => code === marker.SOS && file[dataStart] === 1)!;
  const table = all.findLast(({ code, start }) => code === marker.DHT && start < scan.start)!;
  const again = Buffer.concat([
    file.subarray(table.start, table.end),
    file.subarray(scan.start, entropyCodedEnd(file, scan.end)),
  ]);
  const copies = Array.from({ length: times }, () => again);
  return new Uint8Array(Buffer.concat([file.subarray(0, table.start), ...copies, file.subarray(table.start)]));
}

describe('the kernel equals the plain decoder', () => {
  const files = everyKind();

  test.each(scales)('in files of every kind at 1/%i', async (scale) => {
    for (const [index, file] of files.entries()) {
      expect(typeof (await expectSame(file, scale, `file ${index}`)), `file ${index}`).toBe('object');
    }
  });

  test('with so many Huffman tables that each has less lookahead', async () => {
    const file = fixtureFile(fixtures.progressive);
    for (const times of [100, 400, 900]) {
      const outcome = await expectSame(repeatScanAndTable(file, times), 1, `${times} tables`);
      expect(typeof outcome).toBe('object');
    }
  });

  test('cut at any length', async () => {
    for (const [index, file] of files.entries()) {
      for (let length = 200 + index; length < file.length; length += 29) {
        await expectSame(file.subarray(0, length), 1, `file ${index} cut at ${length}`);
      }
    }
  });

  test(`in ${MUTATIONS} mutated files: the same picture or the same words, no trap, nothing written beside`, async () => {
    const seen = { pictures: 0, refusals: 0, unread: 0 };
    for (let seed = 0; seed < MUTATIONS; seed++) {
      const file = mutate(files[seed % files.length]!, seed);
      const outcome = await expectSame(file, scales[(seed >> 3) & 3]!, `mutation ${seed}`);
      if (outcome === undefined) seen.unread++;
      else seen[typeof outcome === 'string' ? 'refusals' : 'pictures']++;
    }
    console.log(`mutated JPEG files: ${JSON.stringify(seen)}`);
    expect(seen.pictures).toBeGreaterThan(MUTATIONS / 20);
    expect(seen.refusals).toBeGreaterThan(MUTATIONS / 20);
  }, 3_600_000);

  test('in the small files of the corpus at every scale', async () => {
    for (const name of [...corpusFiles('jpeg'), ...corpusFiles('broken')]) {
      const file = corpusFile(name)!;
      for (const scale of scales) await expectSame(file, scale, name);
    }
  });
});
