import sharp from 'sharp';
import { Difference } from '../calibrate/difference.ts';
import { decodePicture } from '../calibrate/picture.ts';
import type { BenchCase } from './cases.ts';
import { median } from './median.ts';
import type { Rival } from './rival.ts';

/** What one rival did with one case. */
export interface Measure {
  /** Seconds of CPU time of the whole process, the median of some runs. */
  readonly seconds: number;
  readonly bytes: number;
  /** How different the result looks from the source, scaled by sharp where sizes differ: `calibrate/difference.ts`; 0 is equal. */
  readonly difference: number;
}

/** A case is repeated until it has taken this long or often enough. */
const CASE_SECONDS = 4;
const MOST_RUNS = 7;

/** Runs all rivals in turns, so that what disturbs the machine disturbs all alike; undefined for those that cannot do it. */
export async function measure(each: BenchCase, rivals: readonly Rival[]): Promise<(Measure | undefined)[]> {
  const first: (Uint8Array | undefined)[] = [];
  for (const rival of rivals) first.push(await rival.run(each).catch(() => undefined));
  const times: number[][] = rivals.map(() => []);
  let spent = 0;
  for (let run = 0; run < MOST_RUNS && (run === 0 || spent < CASE_SECONDS * rivals.length); run++) {
    for (const [index, rival] of rivals.entries()) {
      if (first[index] === undefined) continue;
      const before = process.cpuUsage();
      await rival.run(each);
      const { user, system } = process.cpuUsage(before);
      times[index]!.push((user + system) / 1e6);
      spent += (user + system) / 1e6;
    }
  }
  const differences = await Promise.all(first.map((file) => file && difference(each, file)));
  return first.map((file, index) => {
    return file && { seconds: median(times[index]!), bytes: file.length, difference: differences[index]! };
  });
}

async function difference({ file }: BenchCase, result: Uint8Array): Promise<number> {
  const picture = await decodePicture(result);
  const original = await decodePicture(
    await sharp(file).resize(picture.width, picture.height, { fit: 'fill' }).png({ compressionLevel: 0 }).toBuffer(),
  );
  return new Difference(original).to(picture);
}
