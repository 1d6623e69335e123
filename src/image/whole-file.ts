import type { JobWorkspace } from './job-workspace.ts';
import type { SourceFile } from './source-file.ts';

/**
 * All bytes of a file: where they are if it is held, else in the arena, which is the file's alone until the next stage.
 * @throws whatever the file's `read` throws
 */
export async function wholeFile(file: SourceFile, workspace: JobWorkspace): Promise<Uint8Array> {
  if (file.held !== undefined) return file.held;
  workspace.stage({ arena: file.size });
  const bytes = workspace.arena(file.size);
  await file.read(0, bytes);
  return bytes;
}
