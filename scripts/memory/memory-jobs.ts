import { type Client, type CompressAnswer, fields, file } from '../../test/conformance/support/client.ts';
import { paddedJpeg, paddedPng, scene } from '../../test/conformance/support/pictures.ts';
import { giant, photo } from './large-pictures.ts';
import { largestOutput } from './largest-output.ts';

const MIB = 1024 * 1024;
const FORMATS = ['webp', 'avif', 'jpg', 'png'] as const;

export interface MemoryJob {
  readonly name: string;
  /** Does it; returns what came of it in a few words. */
  run(): Promise<string>;
}

/** The standard jobs, the light ones first. Pictures are made when their turn comes and dropped after it. */
export async function* memoryJobs(client: Client, key: string): AsyncGenerator<MemoryJob> {
  const send = (pictures: readonly Uint8Array[], options: Record<string, string | number>) =>
    client.compress(key, [...fields(options), ...pictures.map((picture, index) => file(picture, `${index}`))]);

  yield { name: 'nothing but the upload of a small picture', run: async () => tell(await send([await small()], {})) };
  const jpeg = await photo().jpeg({ quality: 90 }).toBuffer();
  for (const format of FORMATS) {
    const options = { format, maxWidth: 1920 };
    yield { name: `12 MP JPEG → ${format}, 1920 wide`, run: async () => tell(await send([jpeg], options)) };
  }
  for (const format of FORMATS) {
    yield { name: `largest ${format} of a 12 MP JPEG`, run: () => largestOutput(jpeg, format, send) };
  }
  for (const [name, picture] of await giants()) {
    const options = { format: 'webp', maxWidth: 1600 };
    yield { name: `100 MP ${name} → webp, 1600 wide`, run: async () => tell(await send([picture], options)) };
  }
  const uploads = await large();
  yield {
    name: '20 files of 19.9 MB → webp, 100 wide',
    run: async () =>
      tell(
        await send(
          Array.from({ length: 20 }, (_, n) => uploads[n % 2]!),
          { maxWidth: 100 },
        ),
      ),
  };
}

async function small(): Promise<Uint8Array> {
  return await scene(64, 64).png().toBuffer();
}

async function giants(): Promise<[name: string, picture: Uint8Array][]> {
  const picture = giant();
  return [
    ['baseline JPEG', await picture.clone().jpeg({ quality: 60 }).toBuffer()],
    ['progressive JPEG', await picture.clone().jpeg({ quality: 60, progressive: true }).toBuffer()],
    ['PNG', await picture.clone().png().toBuffer()],
  ];
}

async function large(): Promise<readonly [Uint8Array, Uint8Array]> {
  const bytes = Math.floor(19.9 * MIB);
  const picture = scene(320, 240);
  return [paddedJpeg(await picture.jpeg().toBuffer(), bytes), paddedPng(await picture.png().toBuffer(), bytes)];
}

/** An answer in a few words. */
function tell({ status, text, data, failures }: CompressAnswer): string {
  if (status !== 200) return `${status} ${text}`;
  const kilobytes = Math.round(data.reduce((sum, { optimizedSize }) => sum + optimizedSize, 0) / 1000);
  const failed = failures.map(({ error, message }) => `${error}: ${message}`);
  return [`${data.length} done, ${kilobytes} kB`, ...failed].join('; ');
}
