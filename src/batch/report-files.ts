import { signDownload } from '../delivery/signed-url.ts';
import { registry } from '../image/formats/registry.ts';
import type { BatchRecord } from './batch-journal.ts';
import { fileName } from './file-name.ts';
import type { FileRecord } from './outcome.ts';
import { seoFileName } from './seo-file-name.ts';

/** Where results are downloaded. */
export interface Downloads {
  readonly baseUrl: string;
  readonly secret: string;
  /** Seconds for which a link works. */
  readonly ttlSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A file's record with the name and the address of its result, if there is one. */
export interface ReportedFile extends FileRecord {
  readonly link?: { readonly newName: string; readonly downloadUrl: string };
}

/**
 * Gives every processed file its name and an address that works from now on, in the order sent: an SEO name where one came back, else the
 * ordinary one. A failed file takes no name from another, so while some are under way a name may still change.
 */
export async function reportFiles(
  { batch, files }: Pick<BatchRecord, 'batch' | 'files'>,
  downloads: Downloads,
): Promise<ReportedFile[]> {
  const names = fileNames(files, registry[batch.image.format].extension);
  const from = Math.floor(downloads.now / 1000);
  const reports = files.map(async (file, place): Promise<ReportedFile> => {
    const newName = names[place];
    if (newName === undefined) return file;
    const { key, expires: gone } = file.result;
    const expires = Math.min(gone, from + downloads.ttlSeconds);
    return {
      ...file,
      link: { newName, downloadUrl: await signDownload({ ...downloads, key, expires, fileName: newName }) },
    };
  });
  return await Promise.all(reports);
}

function fileNames(files: readonly FileRecord[], extension: string): readonly (string | undefined)[] {
  const taken = new Set<string>();
  return files.map(({ name, outcome }) => {
    if (outcome?.kind !== 'done') return undefined;
    const seoName = outcome.description?.seoName;
    return seoName === undefined ? fileName(name, extension, taken) : seoFileName(seoName, extension, taken);
  });
}
