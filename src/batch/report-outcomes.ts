import { signDownload } from '../delivery/signed-url.ts';
import { registry } from '../image/formats/registry.ts';
import type { Batch } from './batch.ts';
import type { FileJob } from './file-job.ts';
import { fileName } from './file-name.ts';
import type { FileOutcome, ReportedOutcome } from './outcome.ts';
import { seoFileName } from './seo-file-name.ts';

/** Where results are downloaded. */
export interface Downloads {
  readonly baseUrl: string;
  readonly secret: string;
}

/**
 * Gives every processed file its name and its address, in the order sent: an SEO name where one came back, else the ordinary
 * one. Names are given when all outcomes are known, so a failed file takes no name from another.
 */
export async function reportOutcomes(
  { files, image }: Batch,
  jobs: readonly FileJob[],
  outcomes: readonly FileOutcome[],
  downloads: Downloads,
): Promise<ReportedOutcome[]> {
  const names = fileNames(files, outcomes, registry[image.format].extension);
  const reports = outcomes.map(async (outcome, place): Promise<ReportedOutcome> => {
    const { index, name, staged } = files[place]!;
    const reported = { index, originalName: name, originalSize: staged.size, outcome };
    const newName = names[place];
    if (newName === undefined) return reported;
    const { key, expires } = jobs[place]!.result;
    const downloadUrl = await signDownload({ ...downloads, key, expires, fileName: newName });
    return { ...reported, result: { newName, downloadUrl } };
  });
  return await Promise.all(reports);
}

function fileNames(
  files: Batch['files'],
  outcomes: readonly FileOutcome[],
  extension: string,
): readonly (string | undefined)[] {
  const taken = new Set<string>();
  return outcomes.map((outcome, place) => {
    if (outcome.kind === 'failed') return undefined;
    const seoName = outcome.description?.seoName;
    return seoName === undefined
      ? fileName(files[place]!.name, extension, taken)
      : seoFileName(seoName, extension, taken);
  });
}
