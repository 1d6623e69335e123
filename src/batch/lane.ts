import { DurableObject } from 'cloudflare:workers';
import { plans } from '../credits/plans.ts';
import { ResultStore } from '../delivery/result-store.ts';
import { createProvider } from '../describe/providers/create-provider.ts';
import type { AiBinding } from '../describe/providers/workers-ai.ts';
import { HELD_BYTES } from '../image/source-file.ts';
import { platformShell } from '../platform/call-platform.ts';
import { type AiVars, readAiSettings } from '../settings.ts';
import { compressWithin } from './compress-file.ts';
import type { QueueAnswer } from './engine-queue.ts';
import { type Engine, isolateEngines, smallEngine } from './engines.ts';
import type { FileJob } from './file-job.ts';
import { type HolderNamespace, heldSource } from './held-source.ts';
import type { FileOutcome } from './outcome.ts';
import { type ProcessFileServices, processFile } from './process-file.ts';
import { Staging } from './staging.ts';
import { UploadGate } from './upload-gate.ts';

/** What a lane needs: where files are, and who describes them. */
export interface LaneEnv extends AiVars {
  readonly BUCKET: R2Bucket;
  /** The objects of batches, which hold small files. */
  readonly BATCH: HolderNamespace;
  /** Workers AI; absent where the platform has none. */
  readonly AI?: AiBinding;
}

/**
 * A codec lane: a Durable Object named by data centre and number, so that the files of a batch spread over isolates and
 * machines, each with a CPU limit of its own. It keeps no state.
 */
export class CodecLane extends DurableObject<LaneEnv> {
  /**
   * Processes one file when an engine of the isolate is free. Its description may take longer: the engine does not wait for it.
   * @throws when the platform fails: the job may be repeated
   */
  async process(job: FileJob): Promise<QueueAnswer<FileOutcome>> {
    const work = this.#process(job);
    // The object must not be dropped for idleness while it computes, even when its caller has gone.
    this.ctx.waitUntil(work.catch(() => undefined));
    return await work;
  }

  async #process(job: FileJob): Promise<QueueAnswer<FileOutcome>> {
    const owner = { accountId: job.accountId, weight: plans[job.plan].weight };
    if (isCandidate(job)) {
      const { small } = isolateEngines;
      const answer = await small.queue.run(owner, () => compressWithin(job, this.#services(small), smallEngine));
      if (answer.kind === 'busy') return answer;
      if (answer.value !== undefined) return { kind: 'done', value: answer.value };
    }
    const { main } = isolateEngines;
    const answer = await main.queue.run(owner, async () => {
      // Lets the isolate's other requests in between two files: one after the other would shut them out for the whole batch.
      await scheduler.wait(1);
      return processFile(job, this.#services(main));
    });
    return answer.kind === 'busy' ? answer : { kind: 'done', value: await answer.value.outcome };
  }

  #services({ arena, pause }: Engine): ProcessFileServices {
    const settings = readAiSettings(this.env);
    const provider = createProvider(settings, { ai: this.env.AI, fetch: (url, init) => fetch(url, init) });
    return {
      // A lane only reads and removes: it stages nothing, so its gate has no bytes to share.
      staging: new Staging(this.env.BUCKET, new UploadGate(0), platformShell, heldSource(this.env.BATCH)),
      results: new ResultStore(this.env.BUCKET),
      arena,
      pause,
      describer: { provider, timeoutMs: settings.timeoutMs },
    };
  }
}

/** Whether a job may turn out to be small, which its plan tells. Its header must be readable without an arena; AVIF's encoder never fits. */
function isCandidate({ file, image, describe }: FileJob): boolean {
  return describe === undefined && file.size <= HELD_BYTES && image.format !== 'avif';
}
