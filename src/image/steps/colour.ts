import { pixelTransform, pixelTransformBytes } from '../colour/pixel-transform.ts';
import { convertPlainCmyk } from '../colour/plain-cmyk.ts';
import { readCicpColour } from '../colour/read-cicp-colour.ts';
import { readIccColour } from '../colour/read-icc-colour.ts';
import type { SourceColour } from '../colour/source-colour.ts';
import { isNearlySrgb } from '../colour/to-light.ts';
import type { Band, Frame } from '../frame.ts';
import type { ImageHeader } from '../header.ts';
import type { Workspace } from '../workspace.ts';
import type { Step } from './step.ts';

export interface ColourParams {
  /** The kind of conversion; `plain` is CMYK without a usable profile. */
  readonly conversion: SourceColour['kind'] | 'plain';
}

/**
 * Brings a picture to sRGB and CMYK to RGB. Nothing to do where there is no profile, a broken one (ignored, as viewers do) or
 * one that is sRGB to within one 8-bit step.
 */
export const colour: Step<ColourParams> = {
  name: 'colour',
  plan(frame, { header }) {
    const source = sourceColour(header);
    if (source === undefined && frame.model === 'rgb') return undefined;
    return {
      step: 'colour',
      params: { conversion: source?.kind ?? 'plain' },
      frame: { ...frame, model: 'rgb' },
      buffers: source === undefined ? 0 : pixelTransformBytes(source),
    };
  },
  apply: (bands, input, _planned, { header }, workspace) => convertBands(bands, input, header, workspace),
};

/** What the header's profile says, unless it says nothing useful or nothing but sRGB. */
function sourceColour({ profile, model }: ImageHeader): SourceColour | undefined {
  if (profile === undefined || (profile.kind === 'cicp' && model === 'cmyk')) return undefined;
  const source =
    profile.kind === 'icc' ? readIccColour(profile.bytes, model) : readCicpColour(profile.primaries, profile.transfer);
  if (source === undefined || model === 'cmyk') return source;
  return isNearlySrgb(source, model === 'grey') ? undefined : source;
}

/** Converts bands in place, as the header's profile says. Tables are built before the first band is asked for. */
async function* convertBands(
  bands: AsyncIterable<Band>,
  frame: Frame,
  header: ImageHeader,
  workspace: Workspace,
): AsyncIterable<Band> {
  const source = sourceColour(header);
  const tables = source && workspace.buffer(pixelTransformBytes(source));
  try {
    const convert = source && tables ? pixelTransform(source, tables) : convertPlainCmyk;
    for await (const band of bands) {
      convert(band.pixels, band.rows * frame.width);
      yield band;
    }
  } finally {
    if (tables) workspace.release(tables);
  }
}
