import type { JobWorkspace } from '../../src/image/job-workspace.ts';
import { HELD_BYTES, heldFile, type SourceFile } from '../../src/image/source-file.ts';

/** A file in memory as a lane would have it: a small one on the heap, a large one read by ranges. */
export function pictureFile(bytes: Uint8Array, workspace: JobWorkspace): SourceFile {
  if (bytes.length > HELD_BYTES) return { size: bytes.length, read: heldFile(bytes).read };
  const held = bytes.slice();
  workspace.adopt(held);
  return heldFile(held);
}
