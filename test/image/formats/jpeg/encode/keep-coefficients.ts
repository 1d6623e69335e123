import wasm from '../../../../../build/jpeg-transcode.wasm';
import { KeptPicture } from '../../../../../src/image/formats/jpeg/encode/kept-picture.ts';
import type { TranscodeKernel } from '../../../../../src/image/formats/jpeg/encode/transcode-kernel.ts';
import type { Workspace } from '../../../../../src/image/workspace.ts';
import type { Coefficients } from '../../../../reference/jpeg-transcode/coefficients.ts';
import { writeSequential } from '../../../../reference/jpeg-transcode/write-scan.ts';

/** A picture that keeps up to `store` bytes, and a way to feed it. */
export function emptyPicture({ layout }: Coefficients, store: number, workspace: Workspace): KeptPicture {
  return new KeptPicture(layout, store, workspace.kernel<TranscodeKernel>(wasm), workspace);
}

/** Feeds coefficients as files of strips of some rows of MCUs. `spill` is asked for room when there is none. */
export function keepAll(
  kept: KeptPicture,
  picture: Coefficients,
  rows: number,
  workspace: Workspace,
  spill: () => void = () => {
    throw new Error('no room');
  },
): void {
  for (let from = 0; from < picture.layout.mcusDown; from += rows) {
    const to = Math.min(from + rows, picture.layout.mcusDown);
    const file = writeSequential(picture, from, to);
    const region = workspace.arena(file.length);
    region.set(file);
    kept.startStrip(region);
    for (let row = from; row < to; row++) {
      if (!kept.readMcuRow()) spill();
      kept.keepMcuRow();
    }
  }
}
