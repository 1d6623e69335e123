import type { JobWorkspace } from '../image/job-workspace.ts';
import { HELD_BYTES, heldFile, type SourceFile } from '../image/source-file.ts';
import { fillFrom } from './fill-from.ts';
import type { Staging } from './staging.ts';

/**
 * A staged file for the engine: one of up to `HELD_BYTES` is read onto the heap, where the workspace counts it; a larger one is
 * read by ranges when they are wanted.
 * @throws Error when it is gone
 */
export async function openStaged(key: string, staging: Staging, workspace: JobWorkspace): Promise<SourceFile> {
  const object = await staging.read(key);
  if (object === null) throw gone();
  const { size, body } = object;
  if (size <= HELD_BYTES) return heldFile(await loadBody(body, size, workspace));
  await body.cancel();
  return { size, read: (offset, into) => readRange(offset, into, key, staging) };
}

/** Reads a staged file onto the heap whatever its size. @throws Error when it is gone */
export async function loadStaged(key: string, staging: Staging, workspace: JobWorkspace): Promise<Uint8Array> {
  const object = await staging.read(key);
  if (object === null) throw gone();
  return await loadBody(object.body, object.size, workspace);
}

/** Straight into one buffer, since chunks would take its bytes once more until the collector comes. */
async function loadBody(body: ReadableStream, size: number, workspace: JobWorkspace): Promise<Uint8Array> {
  const { value } = await body.getReader({ mode: 'byob' }).readAtLeast(size, new Uint8Array(size));
  if (value?.length !== size) throw shorter();
  workspace.adopt(value);
  return value;
}

async function readRange(offset: number, into: Uint8Array, key: string, staging: Staging): Promise<void> {
  const object = await staging.read(key, { offset, length: into.length });
  if (object === null) throw gone();
  if (!(await fillFrom(object.body, into))) throw shorter();
}

function gone(): Error {
  return new Error('a staged file is gone');
}

function shorter(): Error {
  return new Error('a staged file is shorter than it was');
}
