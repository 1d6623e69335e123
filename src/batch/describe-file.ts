import { type DescribeOptions, describeImage } from '../describe/describe-image.ts';
import type { Description, DescriptionRequest } from '../describe/description.ts';
import type { Picture } from '../describe/providers/provider.ts';
import { measureTraits } from '../describe/traits.ts';
import { FileError } from '../errors.ts';
import { JobWorkspace, LeaseLostError } from '../image/job-workspace.ts';
import type { Arena } from '../image/kernels/arena.ts';
import type { Pause } from '../image/pacer.ts';
import { makePreview, samplePixels } from '../image/preview.ts';
import type { SourceFile } from '../image/source-file.ts';
import { leasedPause } from './leased-pause.ts';
import { openStaged } from './staged-file.ts';
import type { StagedPlace } from './staged-place.ts';
import type { Staging } from './staging.ts';

export interface DescribeFileServices {
  readonly staging: Staging;
  readonly arena: Arena;
  /** Lets the isolate's other requests in while the preview is computed. */
  readonly pause?: Pause;
  readonly describer: Pick<DescribeOptions, 'provider' | 'timeoutMs' | 'setTimer'>;
}

/** A description on its way. */
export interface PendingDescription {
  /** Never rejects. */
  readonly description: Promise<Description>;
  /** Nobody needs it any more. */
  abandon(): void;
}

/**
 * Makes the preview of a staged file and begins to describe it. When this returns, the arena is free again and only the
 * provider is waited for. Whatever goes wrong is a failed description, not an error: the file itself may still be fine.
 * @throws LeaseLostError: the whole job ends then, or it would take the arena from the job that has it now
 */
export async function beginDescription(
  file: StagedPlace,
  request: DescriptionRequest,
  services: DescribeFileServices,
): Promise<PendingDescription> {
  const abandoned = new AbortController();
  const abandon = () => abandoned.abort();
  let picture: Picture;
  try {
    picture = await showPicture(file, services);
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    const code = error instanceof FileError ? error.code : 'defect';
    return { description: Promise.resolve({ calls: 0, failure: 'no_preview', code }), abandon };
  }
  const options = { ...services.describer, abandoned: abandoned.signal };
  return { description: describeImage(request, picture, options), abandon };
}

async function showPicture(file: StagedPlace, services: DescribeFileServices): Promise<Picture> {
  const workspace = new JobWorkspace(services.arena);
  try {
    const picture = await preparePicture(await openStaged(file, services.staging, workspace), workspace, services);
    workspace.check();
    return picture;
  } catch (error) {
    workspace.check();
    throw error;
  } finally {
    workspace.finish();
  }
}

async function preparePicture(
  file: SourceFile,
  workspace: JobWorkspace,
  { describer, pause }: DescribeFileServices,
): Promise<Picture> {
  const preview = await makePreview(file, workspace, leasedPause(pause, workspace));
  workspace.finish();
  if (describer.provider.kind === 'model') return preview;
  const { pixels, width, height } = await samplePixels(preview, workspace);
  return { ...preview, traits: measureTraits(pixels, { width, height }, preview.transparent) };
}
