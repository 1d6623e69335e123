import type { JobWorkspace } from '../image/job-workspace.ts';
import { HELD_BYTES, heldFile, type SourceFile } from '../image/source-file.ts';
import type { StagedPlace } from './staged-place.ts';
import type { Staging } from './staging.ts';

/**
 * A staged file for the engine: one of up to `HELD_BYTES` is read onto the heap, where the workspace counts it; a larger one is
 * read by ranges when they are wanted.
 * @throws Error when it is gone
 */
export async function openStaged(file: StagedPlace, staging: Staging, workspace: JobWorkspace): Promise<SourceFile> {
  const { size } = file;
  if (size <= HELD_BYTES) return heldFile(await loadStaged(file, staging, workspace));
  return { size, read: (offset, into) => staging.read(file, offset, into, () => workspace.check()) };
}

/** Reads a staged file onto the heap whatever its size. @throws Error when it is gone */
export async function loadStaged(file: StagedPlace, staging: Staging, workspace: JobWorkspace): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.size);
  workspace.adopt(bytes);
  await staging.read(file, 0, bytes);
  return bytes;
}
