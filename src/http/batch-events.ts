import type { ImageRequest } from '../batch/file-job.ts';
import type { ReportedFile } from '../batch/report-files.ts';
import type { Include } from './include.ts';
import { failureOf, itemOf } from './present-batch.ts';

/** One server-sent event: its name, and what its data is before it becomes JSON. */
export interface BatchEvent {
  readonly event: 'file' | 'result' | 'failure';
  readonly data: unknown;
}

/** Turns what is known of a batch's files, time after time, into events of what is new. */
export class BatchEvents {
  readonly #image: ImageRequest;
  readonly #include: Pick<Include, 'details'>;
  /** By place of the file: what was told of it last. */
  readonly #told = new Map<number, string>();

  constructor(image: ImageRequest, include: Pick<Include, 'details'>) {
    this.#image = image;
    this.#include = include;
  }

  /** The events of what has changed, in the order of the files. */
  next(files: readonly ReportedFile[]): BatchEvent[] {
    return files.flatMap((file) => {
      // Links are signed at each call; the name is what may change in them.
      const now = `${file.state} ${file.link?.newName ?? ''}`;
      if (this.#told.get(file.index) === now) return [];
      this.#told.set(file.index, now);
      return this.#eventsOf(file);
    });
  }

  #eventsOf(file: ReportedFile): BatchEvent[] {
    const { index, state } = file;
    if (state === 'queued' || state === 'running') return [{ event: 'file', data: { index, state } }];
    const results = itemOf(file, this.#image, this.#include).map(
      (item) => ({ event: 'result', data: { index, item } }) as const,
    );
    return [...results, ...failureOf(file).map((data) => ({ event: 'failure', data }) as const)];
  }
}
