import { JobWorkspace } from '../image/job-workspace.ts';
import { joinBytes } from '../image/join-bytes.ts';
import { planImage } from '../image/plan.ts';
import { readHeader } from '../image/read-header.ts';
import { runPlan } from '../image/run-plan.ts';
import { heldFile } from '../image/source-file.ts';
import type { Engine } from './engines.ts';

/** A PNG of one pixel, #4080c0. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNwaDgAAAKEAYEYanSHAAAAAElFTkSuQmCC';
const PNG = Uint8Array.from(atob(PICTURE), (character) => character.charCodeAt(0));
const options = { format: 'webp', quality: 82 } as const;
/** What no account has as its id: its jobs take turns with those of customers. */
const OWNER = { accountId: 'acc_health', weight: 1 };

/**
 * Compresses a picture of one pixel, without storage, on an engine of the isolate: header, plan, decoder and encoder as for every
 * other job. An engine that has too much to do is not asked to: it works.
 * @throws Error when what comes out is no WebP; whatever the engine throws
 */
export async function checkEngine({ arena, queue, pause }: Pick<Engine, 'arena' | 'queue' | 'pause'>): Promise<void> {
  await queue.run(OWNER, async () => {
    const workspace = new JobWorkspace(arena);
    try {
      const file = heldFile(workspace.buffer(PNG.length));
      file.held.set(PNG);
      const header = await readHeader(file, workspace);
      const plan = planImage(header, file.size, options);
      const pieces: Uint8Array[] = [];
      for await (const piece of runPlan({ file, header, options, plan, pause }, workspace)) pieces.push(piece);
      const made = new TextDecoder('latin1').decode(joinBytes(pieces).subarray(0, 12));
      if (!made.startsWith('RIFF') || !made.endsWith('WEBP'))
        throw new Error('a picture of one pixel did not become a WebP');
    } finally {
      workspace.finish();
    }
  });
}
