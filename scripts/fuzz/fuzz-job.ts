import { type FormatId, formatIds } from '../../src/image/formats/format-id.ts';
import type { ImageHeader, Orientation } from '../../src/image/header.ts';
import { identify } from '../../src/image/identify.ts';
import { type ImageOptions, watermarkPositions } from '../../src/image/options.ts';
import type { UntriedJob } from './judge-job.ts';
import { pick, type Random } from './random.ts';

/** Pictures that a few changed bytes made so large are seldom tried, and never at full size. */
const LARGE_PIXELS = 2_000_000;
const LARGEST_PIXELS = 24_000_000;

/** A job with options by chance. @param mark a PNG for watermarks */
export function fuzzJob(bytes: Uint8Array, mark: Uint8Array, random: Random): UntriedJob {
  const unheld = random(2) === 0;
  const abandonAfter = random(3);
  return {
    bytes,
    unheld,
    ...(random(16) === 0 && { abandonAfter }),
    async choose(header) {
      const pixels = header.width * header.height;
      if (pixels > LARGEST_PIXELS || (pixels > LARGE_PIXELS && random(4) > 0)) return undefined;
      return { header: turned(header, random), options: await anyOptions(header, mark, random) };
    },
  };
}

/** Any file may be turned: half of them are, by chance. */
function turned(header: ImageHeader, random: Random): ImageHeader {
  return random(2) === 0 ? header : { ...header, orientation: (1 + random(8)) as Orientation };
}

async function anyOptions(header: ImageHeader, mark: Uint8Array, random: Random): Promise<ImageOptions> {
  const format = pick<FormatId>([...formatIds, 'webp', 'jpg', 'png'], random);
  const most = format === 'avif' ? LARGE_PIXELS / 10 : LARGE_PIXELS;
  const resized = header.width * header.height > most || random(2) === 0;
  return {
    format,
    quality: 40 + random(61),
    ...(resized && { maxWidth: 1 + random(200), maxHeight: 1 + random(200) }),
    ...(random(8) === 0 && { watermark: await anyMark(mark, random) }),
  };
}

async function anyMark(mark: Uint8Array, random: Random) {
  const file = new Uint8Array(mark);
  const position = pick(watermarkPositions, random);
  return { file, header: await identify(file), scale: 5 + random(46), opacity: random(101), position };
}
