import { arenaBandBytes, arenaBands } from '../arena-bands.ts';
import { pixelTransform, pixelTransformBytes } from '../colour/pixel-transform.ts';
import { readCicpColour } from '../colour/read-cicp-colour.ts';
import { readIccColour } from '../colour/read-icc-colour.ts';
import type { SourceColour } from '../colour/source-colour.ts';
import { isNearlySrgb } from '../colour/to-light.ts';
import type { PixelTransform } from '../colour/transform.ts';
import { type Band, type Frame, megapixels } from '../frame.ts';
import type { ColourProfile, ImageHeader } from '../header.ts';
import { aligned } from '../kernels/aligned.ts';
import { pixelKernel } from '../pixel-kernel.ts';
import type { Workspace } from '../workspace.ts';
import type { PlannedStep, Step } from './step.ts';

export interface ColourParams {
  /** The kind of conversion; `plain` is CMYK without a usable profile. */
  readonly conversion: SourceColour['kind'] | 'plain';
  /** What the conversion follows; an embedded profile is the plan's own copy, because the file may be moved and freed. */
  readonly profile?: ColourProfile;
}

/** CPU seconds of building the tables and of a megapixel, as measured, by conversion. */
const SECONDS: Readonly<Record<ColourParams['conversion'], { readonly fixed: number; readonly megapixel: number }>> = {
  plain: { fixed: 0, megapixel: 0.004 },
  grey: { fixed: 0.02, megapixel: 0.01 },
  matrix: { fixed: 0.05, megapixel: 0.01 },
  sampled: { fixed: 0.5, megapixel: 0.1 },
};

/**
 * Brings a picture to sRGB and CMYK to RGB. Nothing to do where there is no profile, a broken one (ignored, as viewers do) or
 * one that is sRGB to within one 8-bit step.
 */
export const colour: Step<ColourParams> = {
  name: 'colour',
  plan(frame, { header: { profile, model } }) {
    const source = profile && sourceColour(profile, model);
    if (profile && source) return planned(frame, { conversion: source.kind, profile: ownProfile(profile) }, source);
    return frame.model === 'cmyk' ? planned(frame, { conversion: 'plain' }) : undefined;
  },
  apply(bands, input, { params }, { header }, workspace) {
    const usable = arenaBands(bands, input, workspace);
    const kernel = pixelKernel(workspace);
    if (params.profile) return convertByProfile(usable, input, sourceColour(params.profile, header.model), workspace);
    return convertBands(usable, input, ({ byteOffset }, count) => kernel.convertPlainCmyk(byteOffset, count));
  },
};

function planned(frame: Frame, params: ColourParams, source?: SourceColour): PlannedStep<ColourParams> {
  const profileBytes = params.profile?.kind === 'icc' ? params.profile.bytes.length : 0;
  const tables = source === undefined ? 0 : aligned(pixelTransformBytes(source));
  const arena = tables + arenaBandBytes(frame);
  const { fixed, megapixel } = SECONDS[params.conversion];
  const cpu = fixed + megapixels(frame) * megapixel;
  return { step: 'colour', params, frame: { ...frame, model: 'rgb' }, buffers: profileBytes, cpu, arena };
}

function ownProfile(profile: ColourProfile): ColourProfile {
  return profile.kind === 'icc' ? { ...profile, bytes: profile.bytes.slice() } : profile;
}

/** What a profile says of a picture, unless it says nothing useful or nothing but sRGB. */
function sourceColour(profile: ColourProfile, model: ImageHeader['model']): SourceColour | undefined {
  if (profile.kind === 'cicp' && model === 'cmyk') return undefined;
  const source =
    profile.kind === 'icc' ? readIccColour(profile.bytes, model) : readCicpColour(profile.primaries, profile.transfer);
  if (source === undefined || model === 'cmyk') return source;
  return isNearlySrgb(source, model === 'grey') ? undefined : source;
}

/** The tables are built before the first band is asked for. */
async function* convertByProfile(
  bands: AsyncIterable<Band>,
  frame: Frame,
  source: SourceColour | undefined,
  workspace: Workspace,
): AsyncIterable<Band> {
  if (source === undefined) throw new TypeError('a conversion was planned by a profile that says nothing');
  const tables = workspace.arena(pixelTransformBytes(source));
  yield* convertBands(bands, frame, pixelTransform(source, tables, pixelKernel(workspace)));
}

async function* convertBands(
  bands: AsyncIterable<Band>,
  { width }: Frame,
  convert: PixelTransform,
): AsyncIterable<Band> {
  for await (const band of bands) {
    convert(band.pixels, band.rows * width);
    yield band;
  }
}
