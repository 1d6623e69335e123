import type { JobWorkspace } from '../image/job-workspace.ts';
import type { Staging } from './staging.ts';

/**
 * Reads a staged file onto the heap; the workspace counts it. Chunk by chunk into one buffer, since collecting the body whole
 * would take its bytes twice.
 * @throws Error when it is gone
 */
export async function loadStaged(key: string, staging: Staging, workspace: JobWorkspace): Promise<Uint8Array> {
  const object = await staging.read(key);
  if (object === null) throw new Error('a staged file is gone');
  const file = workspace.buffer(object.size);
  let at = 0;
  for await (const chunk of object.body) {
    file.set(chunk, at);
    at += chunk.length;
  }
  return file;
}
