import type { ImageHeader } from '../../src/image/header.ts';
import type { ImageOptions } from '../../src/image/options.ts';
import type { StepContext } from '../../src/image/steps/step.ts';

/** What steps look at, for an ordinary picture; the parts that matter to a test are given. */
export function stepContext(
  header: Partial<ImageHeader> & { readonly width: number; readonly height: number },
  options: Partial<ImageOptions> = {},
  outputAlpha = false,
): StepContext {
  return {
    header: {
      format: 'jpg',
      orientation: 1,
      alpha: false,
      bitDepth: 8,
      model: 'rgb',
      animated: false,
      detail: undefined,
      ...header,
    },
    options: { format: 'jpg', quality: 82, ...options },
    outputAlpha,
    outputChroma: '4:4:4',
    haste: 0,
    mostKept: 36 * 1024 * 1024,
    mayKeepPlanes: true,
  };
}
