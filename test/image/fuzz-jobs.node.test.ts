import { beforeAll, describe, expect, test } from 'vitest';
import { fuzzFile } from '../../scripts/fuzz/fuzz-file.ts';
import { fuzzJob } from '../../scripts/fuzz/fuzz-job.ts';
import { GuardedArena } from '../../scripts/fuzz/guarded-arena.ts';
import { judgeJob } from '../../scripts/fuzz/judge-job.ts';
import { seededRandom } from '../../scripts/fuzz/random.ts';
import { fuzzSources } from '../../scripts/fuzz/sources.ts';
import { makeWatermark } from '../../scripts/fuzz/watermark.ts';
import { type FormatId, formatIds } from '../../src/image/formats/format-id.ts';
import type { ImageHeader } from '../../src/image/header.ts';
import { corpusFiles, fileBytes } from '../support/corpus-files.ts';

const arena = new GuardedArena();
let mark: Uint8Array;

beforeAll(async () => {
  mark = await makeWatermark();
});

/** AVIF's library takes longer. Thousands of jobs are run by `node scripts/fuzz.ts`. */
const jobs: Readonly<Record<FormatId, number>> = { webp: 100, avif: 40, jpg: 100, png: 150 };

test.each(formatIds)('changed files of %s end as pictures or as refusals, within their plans', async (format) => {
  const sources = await fuzzSources(format, false);
  const outcomes = { picture: 0, refused: 0, abandoned: 0, 'too large to run': 0, defect: 0 };
  for (let seed = 0; seed < jobs[format]; seed++) {
    const random = seededRandom(seed);
    const file = fuzzFile(format, sources, random);
    const { kind, detail } = await judgeJob(fuzzJob(file, mark, random), arena);
    if (kind === 'defect') expect.fail(`${format} ${seed}: ${detail}`);
    outcomes[kind]++;
  }
  expect(outcomes.picture).toBeGreaterThan(3);
  expect(outcomes.refused).toBeGreaterThan(5);
});

const broken = ['.jpg', '.png'].flatMap((extension) => corpusFiles('broken', extension));

describe.each(broken)('$name', (file) => {
  test.each(formatIds)('becomes a picture or is refused as %s', async (format) => {
    const options = { format, quality: 60, maxWidth: 300, maxHeight: 300 };
    const job = { bytes: fileBytes(file), choose: async (header: ImageHeader) => ({ header, options }) };
    const { kind, detail } = await judgeJob(job, arena);
    expect(['picture', 'refused'], detail).toContain(kind);
  });
});
