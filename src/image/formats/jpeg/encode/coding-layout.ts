import type { ChromaSubsampling } from '../../chroma-subsampling.ts';

/** How one component is divided into blocks of 8 × 8 samples (T.81 A.1 and A.2). */
export interface CodedComponent {
  /** Sampling factors: blocks of an MCU, side by side and above each other. */
  readonly horizontal: number;
  readonly vertical: number;
  /** Blocks of a row and rows of blocks, without the padding that interleaving adds. */
  readonly across: number;
  readonly down: number;
}

/** How a Y′CbCr picture is divided for coding. */
export interface CodingLayout {
  readonly width: number;
  readonly height: number;
  readonly components: readonly CodedComponent[];
  /** Pixels a side of an MCU, and how many MCUs there are. */
  readonly mcuSide: number;
  readonly mcusAcross: number;
  readonly mcusDown: number;
}

export function codingLayout(width: number, height: number, chroma: ChromaSubsampling): CodingLayout {
  const factor = chroma === '4:2:0' ? 2 : 1;
  const mcuSide = 8 * factor;
  const luma = component(width, height, factor, 8);
  const halved = component(width, height, 1, mcuSide);
  return {
    width,
    height,
    components: [luma, halved, halved],
    mcuSide,
    mcusAcross: Math.ceil(width / mcuSide),
    mcusDown: Math.ceil(height / mcuSide),
  };
}

function component(width: number, height: number, factor: number, blockSide: number): CodedComponent {
  return {
    horizontal: factor,
    vertical: factor,
    across: Math.ceil(width / blockSide),
    down: Math.ceil(height / blockSide),
  };
}
