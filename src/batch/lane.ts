import { DurableObject } from 'cloudflare:workers';
import { ResultStore } from '../delivery/result-store.ts';
import { createProvider } from '../describe/providers/create-provider.ts';
import type { AiBinding } from '../describe/providers/workers-ai.ts';
import { isolateArena } from '../image/kernels/arena.ts';
import { limits } from '../limits.ts';
import { type AiVars, readAiSettings } from '../settings.ts';
import type { FileJob } from './file-job.ts';
import type { FileOutcome } from './outcome.ts';
import { processFile } from './process-file.ts';
import { JobQueue, type QueueAnswer } from './queue.ts';
import { Staging } from './staging.ts';
import { UploadGate } from './upload-gate.ts';

/** What a lane needs: where files are, and who describes them. */
export interface LaneEnv extends AiVars {
  readonly BUCKET: R2Bucket;
  /** Workers AI; absent where the platform has none. */
  readonly AI?: AiBinding;
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
  /**
   * Processes one file when the isolate's engine is free. Its description may take longer: the engine does not wait for it.
   * @throws when the platform fails: the job may be repeated
   */
  async process(job: FileJob): Promise<QueueAnswer<FileOutcome>> {
    const services = {
      // A lane only reads and removes: it stages nothing, so its gate has no bytes to share.
      staging: new Staging(this.env.BUCKET, new UploadGate(0)),
      results: new ResultStore(this.env.BUCKET),
      arena: isolateArena,
      // A timer is no storage operation: while it is waited for, the object's input gate is open and the isolate is free for others.
      pause: () => scheduler.wait(0),
      describer: this.#describer(),
    };
    const answer = await isolateQueue.run(async () => {
      // Lets the isolate's other requests in between two files: one after the other would shut them out for the whole batch.
      await scheduler.wait(1);
      return processFile(job, services);
    });
    return answer.kind === 'busy' ? answer : { kind: 'done', value: await answer.value.outcome };
  }

  #describer() {
    const settings = readAiSettings(this.env);
    const provider = createProvider(settings, { ai: this.env.AI, fetch: (url, init) => fetch(url, init) });
    return { provider, timeoutMs: settings.timeoutMs };
  }
}
