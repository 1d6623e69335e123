/** What one request may carry: the API's 20 files, and 90 MB because the platform's edge refuses more than 100. */
export interface BatchBounds {
  readonly files: number;
  /** Bytes of content. */
  readonly bytes: number;
}

export const batchBounds: BatchBounds = { files: 20, bytes: 90_000_000 };

/** How many of the first files make the next batch; at least one, so that a single large file goes by itself. */
export function batchLength(sizes: readonly number[], { files, bytes }: BatchBounds = batchBounds): number {
  let sum = 0;
  let count = 0;
  for (const size of sizes) {
    sum += size;
    if (count > 0 && (count >= files || sum > bytes)) break;
    count++;
  }
  return count;
}
