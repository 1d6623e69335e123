import { DurableObject } from 'cloudflare:workers';
import { ResultStore } from '../delivery/result-store.ts';
import { isolateArena } from '../image/kernels/arena.ts';
import { limits } from '../limits.ts';
import { compressFile } from './compress-file.ts';
import type { FileJob } from './file-job.ts';
import type { FileOutcome } from './outcome.ts';
import { JobQueue, type QueueAnswer } from './queue.ts';
import { Staging } from './staging.ts';
import { UploadGate } from './upload-gate.ts';

/** The one binding that a lane needs. */
export interface LaneEnv {
  readonly BUCKET: R2Bucket;
}

/** Longer than any plan's work: five minutes of CPU time are the platform's limit. */
const STALE_MS = 10 * 60 * 1000;

/** The isolate's queue: module state on purpose, since an isolate has one thread and one arena, however many lanes it hosts. */
const isolateQueue = new JobQueue(limits.queueLength, STALE_MS, () => Date.now());

/**
 * A codec lane: a Durable Object named by data centre and number, so that the files of a batch spread over isolates and
 * machines, each with a CPU limit of its own. It keeps no state.
 */
export class CodecLane extends DurableObject<LaneEnv> {
  /** Processes one file when the isolate's engine is free. @throws when the platform fails: the job may be repeated */
  process(job: FileJob): Promise<QueueAnswer<FileOutcome>> {
    const services = {
      // A lane only reads and removes: it stages nothing, so its gate has no bytes to share.
      staging: new Staging(this.env.BUCKET, new UploadGate(0)),
      results: new ResultStore(this.env.BUCKET),
      arena: isolateArena,
    };
    return isolateQueue.run(async () => {
      // Lets the isolate's other requests in between two files: one after the other would shut them out for the whole batch.
      await scheduler.wait(1);
      return compressFile(job, services);
    });
  }
}
