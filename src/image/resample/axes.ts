import type { Frame } from '../frame.ts';
import type { Axis } from './lanczos.ts';
import type { Size } from './resample-layout.ts';

/** The two axes of a resampling. */
export function axesOf(from: Frame, to: Size): { readonly columns: Axis; readonly rows: Axis } {
  const extent = from.extent ?? from;
  return {
    columns: { from: from.width, to: to.width, extent: extent.width },
    rows: { from: from.height, to: to.height, extent: extent.height },
  };
}
