import type { ChromaSubsampling } from '../formats/chroma-subsampling.ts';
import type { Haste } from '../formats/haste.ts';
import type { Band, Frame } from '../frame.ts';
import type { ImageHeader } from '../header.ts';
import type { ImageOptions } from '../options.ts';
import type { Workspace } from '../workspace.ts';

/** What steps look at when they decide. */
export interface StepContext {
  readonly header: ImageHeader;
  readonly options: ImageOptions;
  /** Whether the output format can hold transparency. */
  readonly outputAlpha: boolean;
  /** The chroma that the output will have. */
  readonly outputChroma: ChromaSubsampling;
  /** What is given up for speed. */
  readonly haste: Haste;
  /** Bytes that a step may keep of the picture at once. */
  readonly mostKept: number;
  /** Whether it may keep planes in place of pixels, where these are as good. */
  readonly mayKeepPlanes: boolean;
}

/** One step's part of a plan. Data: printable, testable. */
export interface PlannedStep<Params = unknown> {
  readonly step: string;
  readonly params: Params;
  /** What comes out of the step. */
  readonly frame: Frame;
  /** Set where the step changes how the picture travels: `frame` is one band on the heap that covers all of it. */
  readonly delivers?: 'bands' | 'frame';
  /** Peak bytes of the step's own buffers on the heap; the bands it passes on are counted where they are made. */
  readonly buffers: number;
  /** CPU seconds of the step for one reading of what comes out of it. */
  readonly cpu: number;
  /** Bytes of the step's own regions of the arena. */
  readonly arena?: number;
  /** How often the step reads the picture from its start, once if absent: whatever comes before it is done anew each time. */
  readonly passes?: number;
  /** How much of the picture these passes read in all, in whole pictures: `passes` if absent. A pass that needs the top alone ends there. */
  readonly reads?: number;
}

/**
 * One step of the pipeline. `plan` is pure and says whether there is anything to do (undefined: nothing); `apply` turns
 * bands into bands. Listed in `order`, which is the only place that knows the sequence.
 */
export interface Step<Params = unknown> {
  readonly name: string;
  plan(frame: Frame, context: StepContext): PlannedStep<Params> | undefined;
  /** @param bands may be iterated once, or `planned.passes` times one after the other */
  apply(
    bands: AsyncIterable<Band>,
    input: Frame,
    planned: PlannedStep<Params>,
    context: StepContext,
    workspace: Workspace,
  ): AsyncIterable<Band>;
}
