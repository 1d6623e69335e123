import { checkBudget, checkOutputSide, checkSource, checkTime } from './check-plan.ts';
import type { DecodePlan, EncodePlan, RecompressPlan } from './formats/format.ts';
import { registry } from './formats/registry.ts';
import type { Frame } from './frame.ts';
import type { ImageHeader } from './header.ts';
import { aligned } from './kernels/aligned.ts';
import type { ImageOptions } from './options.ts';
import { cpuSecondsOf } from './plan-cpu.ts';
import { headerCost, heapBytes, nothing, type PlannedMemory } from './plan-memory.ts';
import { planInTime } from './plan-stages.ts';
import { fitWithin } from './steps/resize.ts';
import type { PlannedStep } from './steps/step.ts';

/** What will be done with one picture, and the memory and CPU time it takes at the most. Data: printable, testable. */
export type Plan =
  | {
      readonly route: 'pixels';
      readonly decode: DecodePlan;
      readonly steps: readonly PlannedStep[];
      /** The frame that is encoded. */
      readonly frame: Frame;
      readonly encode: EncodePlan;
      readonly memory: PlannedMemory;
      /** CPU seconds at the most, on a core like those of the machines on which they were measured. */
      readonly cpuSeconds: number;
      /** Nothing changes but the coding: where that does not make the file smaller, the original is worth more. */
      readonly mayKeepOriginal: boolean;
    }
  | {
      readonly route: 'recompress';
      readonly recompress: RecompressPlan;
      readonly frame: Frame;
      readonly memory: PlannedMemory;
      readonly cpuSeconds: number;
      readonly mayKeepOriginal: true;
    };

/**
 * Decides from the header alone how a picture will be processed. The only place that knows what fits the isolate.
 * @param fileBytes bytes of the file
 * @throws FileError image_too_large, animated_image
 */
export function planImage(header: ImageHeader, fileBytes: number, options: ImageOptions): Plan {
  checkSource(header);
  const { width, height, orientation } = header;
  const decode = registry[header.format].planDecode(
    header,
    fileBytes,
    fitWithin({ width, height }, options.maxWidth, options.maxHeight, orientation),
  );
  const planned = planInTime(decode, header, fileBytes, options);
  const { steps, frame, encode, memory } = planned;
  const sameFormat = header.format === options.format && steps.length === 0;
  const recompress = registry[options.format].recompress;
  if (sameFormat && recompress) {
    const smaller = recompress.plan(header, fileBytes);
    checkTime(smaller.cpu, header, frame, options);
    return planRecompress(frame, smaller, fileBytes);
  }
  checkOutputSide(frame, options.format);
  checkBudget({ header, decode, frame, memory, options, fileBytes });
  const cpuSeconds = cpuSecondsOf({ decode, steps, encode });
  checkTime(cpuSeconds, header, frame, options);
  return { route: 'pixels', decode, steps, frame, encode, memory, cpuSeconds, mayKeepOriginal: sameFormat };
}

function planRecompress(frame: Frame, recompress: RecompressPlan, fileBytes: number): Plan {
  const { cost, fileIn } = recompress;
  const file = fileIn === 'arena' ? aligned(fileBytes) : 0;
  const decode = { arena: cost.arena + file, buffers: Math.max(heapBytes(fileBytes), cost.buffers) };
  const memory = { header: headerCost(fileBytes), decode, encode: nothing };
  return { route: 'recompress', recompress, frame, memory, cpuSeconds: recompress.cpu, mayKeepOriginal: true };
}
