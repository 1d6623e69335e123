import type { JpegDetail } from './header.ts';

/** Sides in samples of the square that one block becomes. */
export type BlockSide = 1 | 2 | 4 | 8;

/** Where one component's samples are and what must be done to bring them to the size of the picture. */
export interface ComponentLayout {
  /** Blocks of one MCU, across and down. */
  readonly horizontal: number;
  readonly vertical: number;
  /** Blocks that carry the picture, without the padding to whole MCUs (T.81 §A.2.2). */
  readonly blocksAcross: number;
  readonly blocksDown: number;
  /** Blocks of one row with the padding. */
  readonly paddedAcross: number;
  /** Samples of each decoded block's side. */
  readonly blockSide: BlockSide;
  /** Samples that carry the picture, at the decoded scale. */
  readonly width: number;
  readonly height: number;
  /** Samples of one row of the plane, and rows that the plane holds before it wraps around. */
  readonly stride: number;
  readonly planeRows: number;
  /** Samples of this component for each `outOf` samples of the picture. */
  readonly across: Ratio;
  readonly down: Ratio;
  readonly upsampling: Upsampling;
}

/**
 * How a plane comes to the size of the picture: not at all, by interpolation across, down or both where exactly halved,
 * otherwise by repeating samples. The choice is libjpeg's, except that it refuses ratios which are not whole.
 */
export type Upsampling = 'none' | 'across' | 'down' | 'both' | 'repeat';

export interface Ratio {
  readonly samples: number;
  readonly outOf: number;
}

/** The geometry of a decode: which blocks there are, how large each becomes, what is kept while rows stream by. */
export interface DecodeLayout {
  readonly width: number;
  readonly height: number;
  readonly mcusAcross: number;
  readonly mcusDown: number;
  /** Picture rows that one row of MCUs becomes. */
  readonly rowsPerMcu: number;
  /** Whether upsampling looks at the rows above and below, so that output lags behind decoding. */
  readonly context: boolean;
  readonly components: readonly ComponentLayout[];
}

/** Lays out a picture of `width` × `height` stored pixels decoded at 1/`scale`. */
export function layoutDecode(width: number, height: number, detail: JpegDetail, scale: 1 | 2 | 4 | 8): DecodeLayout {
  const most = {
    horizontal: Math.max(...detail.components.map((component) => component.horizontal)),
    vertical: Math.max(...detail.components.map((component) => component.vertical)),
  };
  const least = (8 / scale) as BlockSide;
  const mcusAcross = Math.ceil(width / (8 * most.horizontal));
  const sized = detail.components.map(({ horizontal, vertical }) => {
    const blockSide = sideOfBlock(horizontal, vertical, most, least);
    const componentWidth = Math.ceil((width * horizontal * blockSide) / (8 * most.horizontal));
    const across = { samples: (horizontal * blockSide) / least, outOf: most.horizontal };
    const down = { samples: (vertical * blockSide) / least, outOf: most.vertical };
    return {
      horizontal,
      vertical,
      blocksAcross: Math.ceil((width * horizontal) / (8 * most.horizontal)),
      blocksDown: Math.ceil((height * vertical) / (8 * most.vertical)),
      paddedAcross: mcusAcross * horizontal,
      blockSide,
      width: componentWidth,
      height: Math.ceil((height * vertical * blockSide) / (8 * most.vertical)),
      stride: mcusAcross * horizontal * blockSide,
      across,
      down,
      upsampling: chooseUpsampling(across, down, componentWidth, least > 1),
    };
  });
  const context = sized.some(({ upsampling }) => upsampling === 'down' || upsampling === 'both');
  return {
    width: Math.ceil(width / scale),
    height: Math.ceil(height / scale),
    mcusAcross,
    mcusDown: Math.ceil(height / (8 * most.vertical)),
    rowsPerMcu: least * most.vertical,
    context,
    components: sized.map((component) => ({
      ...component,
      planeRows: (context ? 2 : 1) * component.vertical * component.blockSide,
    })),
  };
}

/**
 * A subsampled component's blocks are decoded larger where that saves upsampling, as libjpeg does: at half size the
 * chroma of 4:2:0 is simply decoded at full size.
 */
function sideOfBlock(
  horizontal: number,
  vertical: number,
  most: { readonly horizontal: number; readonly vertical: number },
  least: BlockSide,
): BlockSide {
  let side: number = least;
  const fits = (larger: number) =>
    (most.horizontal * least) % (horizontal * larger) === 0 && (most.vertical * least) % (vertical * larger) === 0;
  while (side < 8 && fits(side * 2)) side *= 2;
  return side as BlockSide;
}

function chooseUpsampling(across: Ratio, down: Ratio, width: number, interpolate: boolean): Upsampling {
  const whole = { across: across.samples === across.outOf, down: down.samples === down.outOf };
  const halved = { across: across.samples * 2 === across.outOf, down: down.samples * 2 === down.outOf };
  if (whole.across && whole.down) return 'none';
  if (!interpolate) return 'repeat';
  if (whole.across && halved.down) return 'down';
  if (halved.across && width > 2 && whole.down) return 'across';
  if (halved.across && width > 2 && halved.down) return 'both';
  return 'repeat';
}
