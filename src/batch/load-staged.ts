import type { JobWorkspace } from '../image/job-workspace.ts';
import type { Staging } from './staging.ts';

/**
 * Reads a staged file onto the heap; the workspace counts it. Straight into one buffer, since chunks would take its bytes once
 * more until the collector comes.
 * @throws Error when it is gone
 */
export async function loadStaged(key: string, staging: Staging, workspace: JobWorkspace): Promise<Uint8Array> {
  const object = await staging.read(key);
  if (object === null) throw new Error('a staged file is gone');
  const reader = object.body.getReader({ mode: 'byob' });
  const { value } = await reader.readAtLeast(object.size, new Uint8Array(object.size));
  if (value?.length !== object.size) throw new Error('a staged file is shorter than it was');
  workspace.adopt(value);
  return value;
}
