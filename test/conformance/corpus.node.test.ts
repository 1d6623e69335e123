import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { meanDifference, reducedSide, type Shown, show } from './corpus/compare-pictures.ts';
import { bound, type CorpusFile, corpusFiles } from './corpus/corpus-files.ts';
import { expectedFailures } from './corpus/expected-failures.ts';
import { shownOtherwise } from './corpus/shown-otherwise.ts';
import { Client, fields, file } from './support/client.ts';
import { Server } from './support/server.ts';

const BATCH = 20;
const sharpFormat = { webp: 'webp', avif: 'heif', jpg: 'jpeg', png: 'png' } as const;
type Output = keyof typeof sharpFormat;
/** Mean difference from libvips's own decode. JPEG decoders differ by rounding; lossy outputs lose some by themselves. */
const LOSSLESS_TOLERANCE = 2;
const LOSSY_TOLERANCE = 6;
/** Pixels a side below which halved chroma changes colourful pictures too much for a comparison of lossy outputs. */
const LEAST_LOSSY_SIDE = 100;

const files = await corpusFiles();

describe.skipIf(files.length === 0)('the corpus', () => {
  const server = new Server();
  const client = new Client(server);
  let key: string;

  beforeAll(async () => {
    await server.start({ RATE_LIMIT_PER_MINUTE: '1000000' });
    ({ key } = await client.account('agency'));
  });
  afterAll(() => server.dispose());

  test.for(Object.keys(sharpFormat) as Output[])(
    'every file as %s is a correct picture or fails as expected',
    { timeout: 300_000 },
    async (format) => {
      const failures: string[] = [];
      const faults: string[] = [];
      // Looked at while the service works on the next batch.
      const looks: Promise<string[]>[] = [];
      for (const batch of batches()) {
        const options = batch[0]!.bounded ? { format, maxWidth: bound, maxHeight: bound } : { format };
        const parts = batch.map(({ name, bytes }) => file(bytes, name.replace('/', '~')));
        const answer = await client.compress(key, [...fields(options), ...parts]);
        expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
        expect(answer.data.length + answer.failures.length).toBe(batch.length);
        for (const { index, error, message } of answer.failures) {
          failures.push(error);
          faults.push(...failureFaults(batch[index]!, error, message));
        }
        const succeeded = batch.filter((_, place) => answer.failures.every(({ index }) => index !== place));
        for (const [place, source] of succeeded.entries()) {
          const bytes = client.download(answer.data[place]!.downloadUrl);
          looks.push(bytes.then((result) => resultFaults(source, format, result)));
        }
      }
      faults.push(...(await Promise.all(looks)).flat());
      console.log(`${format}: ${files.length - failures.length} done, failed: ${JSON.stringify(count(failures))}`);
      expect(faults).toEqual([]);
    },
  );

  test('the service lives and has charged exactly the successes', async () => {
    const healthy = await client.call('/health');
    expect(healthy.status).toBe(200);
    const failing = files.filter(({ name }) => expectedFailures[name] !== undefined).length;
    const { used } = (await client.usage(key)).json.compressions;
    expect(used).toBe((files.length - failing) * Object.keys(sharpFormat).length);
  });
});

/** Up to 20 files each, all sent as they are or all bounded. */
function* batches(): Generator<CorpusFile[]> {
  for (const bounded of [false, true]) {
    const alike = files.filter((each) => each.bounded === bounded);
    for (let start = 0; start < alike.length; start += BATCH) yield alike.slice(start, start + BATCH);
  }
}

function failureFaults({ name }: CorpusFile, error: string, message: string): string[] {
  const expected = expectedFailures[name];
  if (expected === undefined) return [`${name} failed: ${error}: ${message}`];
  const clear = message.length > 30 && message.endsWith('.');
  return expected.code === error && clear ? [] : [`${name} failed as ${error}, not ${expected.code}: ${message}`];
}

/** What is wrong with a result. */
async function resultFaults(source: CorpusFile, format: Output, bytes: Uint8Array): Promise<string[]> {
  const { name } = source;
  if (expectedFailures[name] !== undefined) return [`${name} did not fail`];
  const result = await show(bytes).catch((error: unknown) => String(error));
  if (typeof result === 'string') return [`${name} as ${format} cannot be decoded: ${result}`];
  const faults: string[] = [];
  if (result.format !== sharpFormat[format]) faults.push(`is ${result.format}`);
  if (result.hasMetadata) faults.push('has metadata');
  if (source.shown) faults.push(...sideFaults(source.shown, source.bounded, result));
  if (source.shown && comparable(source, result)) faults.push(...pixelFaults(source.shown, format, result));
  return faults.map((fault) => `${name} as ${format} ${fault}`);
}

/** Whether the reduced pictures can be compared: a thin result of a large picture has lost most of its rows. */
function comparable({ name, bounded }: CorpusFile, { width, height }: Shown): boolean {
  return shownOtherwise[name] === undefined && !(bounded && Math.min(width, height) < reducedSide);
}

function sideFaults({ width, height }: Shown, bounded: boolean, result: Shown): string[] {
  const scale = bounded ? Math.min(1, bound / width, bound / height) : 1;
  const near = (actual: number, exact: number) => Math.abs(actual - Math.max(1, exact)) <= (scale < 1 ? 1 : 0);
  const right = near(result.width, width * scale) && near(result.height, height * scale);
  return right ? [] : [`has ${result.width} × ${result.height} pixels, of ${width} × ${height}`];
}

function pixelFaults(source: Shown, format: Output, result: Shown): string[] {
  const least = format === 'png' ? 1 : LEAST_LOSSY_SIDE;
  if (Math.min(result.width, result.height) < least) return [];
  const tolerance = format === 'png' ? LOSSLESS_TOLERANCE : LOSSY_TOLERANCE;
  const white = meanDifference(source.onWhite, result.onWhite);
  const black = format === 'jpg' ? 0 : meanDifference(source.onBlack, result.onBlack);
  const opacity = format === 'jpg' || source.opaque === result.opaque ? [] : [`is opaque: ${result.opaque}`];
  const worst = Math.max(white, black);
  return worst <= tolerance ? opacity : [`differs by ${worst.toFixed(1)}`, ...opacity];
}

function count(codes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
