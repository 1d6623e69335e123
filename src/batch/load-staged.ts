import type { JobWorkspace } from '../image/job-workspace.ts';
import type { Staging } from './staging.ts';

/** Reads a staged file onto the heap; the workspace counts it. @throws Error when it is gone */
export async function loadStaged(key: string, staging: Staging, workspace: JobWorkspace): Promise<Uint8Array> {
  const object = await staging.read(key);
  if (object === null) throw new Error('a staged file is gone');
  const file = new Uint8Array(await object.arrayBuffer());
  workspace.adopt(file);
  return file;
}
