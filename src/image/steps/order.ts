import { colour } from './colour.ts';
import { flatten, flattenEarly } from './flatten.ts';
import { orient } from './orient.ts';
import { resize } from './resize.ts';
import type { Step } from './step.ts';
import { watermark } from './watermark.ts';

/**
 * The steps, in the order in which a picture passes them. Colour comes first, so that only RGB is ever resampled; turning comes after
 * resizing, because it may have to hold the whole picture; the watermark is placed on the upright result, and what is seen through both is
 * white where the format has no transparency.
 */
export const order: readonly Step[] = [colour, resize, flattenEarly, orient, watermark, flatten];
