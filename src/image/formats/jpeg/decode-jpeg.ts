import { type Band, bandRows } from '../../frame.ts';
import type { ImageHeader } from '../../header.ts';
import type { Workspace } from '../../workspace.ts';
import type { DecodePlan } from '../format.ts';
import { brokenJpeg } from './broken-jpeg.ts';
import { type CoefficientRows, coefficientBytes, coefficientRows } from './coefficient-rows.ts';
import { type ColourConversion, colourConversion, type SampleRow } from './colour-conversion.ts';
import type { JpegDetail } from './header.ts';
import { fillFlatBlock, type InverseDct, inverseDct8 } from './inverse-dct.ts';
import { type BlockSide, type ComponentLayout, type DecodeLayout, layoutDecode } from './layout.ts';
import { arenaBytes, upsampledRowBytes } from './plan-jpeg-decode.ts';
import { inverseDct1, inverseDct2, inverseDct4 } from './reduced-inverse-dct.ts';
import { ScanCursor } from './scan-cursor.ts';
import { readScans, type Scans } from './scans.ts';
import { rowOffset, upsampleRow } from './upsample.ts';

/** Blocks that all scans together may visit: a few seconds of work, and 57 scans of all of 100 megapixels of 4:4:4. */
const MAX_BLOCK_VISITS = 2 ** 28;

const inverseDcts: Readonly<Record<BlockSide, InverseDct>> = {
  1: inverseDct1,
  2: inverseDct2,
  4: inverseDct4,
  8: inverseDct8,
};

/**
 * Decodes a baseline, extended sequential or progressive JPEG (ITU-T T.81) to RGBA or CMYK bands, equal bit for bit to
 * libjpeg-turbo with its default settings. All scans advance in step, so a few rows are all that is ever held.
 * @throws FileError broken_image when tables or data are damaged or missing
 */
export async function* decodeJpeg(
  file: Uint8Array,
  header: ImageHeader,
  plan: DecodePlan,
  workspace: Workspace,
): AsyncGenerator<Band, void, undefined> {
  const detail = header.detail as JpegDetail;
  const layout = layoutDecode(header.width, header.height, detail, plan.scale);
  const found = readScans(file, detail);
  checkWork(found, layout);
  const region = workspace.arena(arenaBytes(layout));
  const decoder = new RowDecoder(file, detail, layout, found, region);
  const rows = bandRows(layout.width);
  const pixels = workspace.buffer(rows * layout.width * 4);
  const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length);
  try {
    for (let top = 0; top < layout.height; top += rows) {
      const count = Math.min(rows, layout.height - top);
      for (let y = 0; y < count; y++) decoder.writeRow(top + y, clamped, y * layout.width * 4);
      yield { top, rows: count, pixels: pixels.subarray(0, count * layout.width * 4) };
    }
  } finally {
    workspace.release(pixels);
  }
}

function checkWork({ scans }: Scans, layout: DecodeLayout): void {
  let visits = 0;
  for (const { components } of scans) {
    for (const { index } of components) {
      const { blocksAcross, blocksDown } = layout.components[index]!;
      visits += blocksAcross * blocksDown;
    }
  }
  if (visits > MAX_BLOCK_VISITS) throw brokenJpeg('it has far more scans than a picture of its size needs');
}

/** Turns rows of MCUs into rows of pixels; rows are asked for from top to bottom. */
class RowDecoder {
  private readonly layout: DecodeLayout;
  private readonly quantTables: readonly Int32Array[];
  private readonly cursors: readonly ScanCursor[];
  private readonly coefficients: readonly CoefficientRows[];
  private readonly coefficientMemory: Uint8Array;
  private readonly planes: readonly Uint8ClampedArray[];
  private readonly upsampled: readonly Uint8ClampedArray[];
  private readonly rows: readonly SampleRow[];
  private readonly convert: ColourConversion;
  private mcuRows = 0;

  constructor(file: Uint8Array, detail: JpegDetail, layout: DecodeLayout, found: Scans, region: Uint8Array) {
    let offset = 0;
    const take = (bytes: number) => {
      offset += bytes;
      return region.subarray(offset - bytes, offset);
    };
    const takeSamples = (bytes: number) => {
      const { buffer, byteOffset } = take(bytes);
      return new Uint8ClampedArray(buffer, byteOffset, bytes);
    };
    this.layout = layout;
    this.quantTables = found.quantTables;
    this.coefficientMemory = take(coefficientBytes(layout));
    this.coefficients = coefficientRows(layout, this.coefficientMemory);
    this.planes = layout.components.map(({ stride, planeRows }) => takeSamples(stride * planeRows));
    this.upsampled = layout.components.map(() => takeSamples(upsampledRowBytes(layout)));
    this.rows = this.planes.map((samples) => ({ samples, at: 0 }));
    this.convert = colourConversion(detail.colour);
    const sequential = !detail.progressive;
    this.cursors = found.scans.map((scan) => new ScanCursor(file, scan, sequential, layout, this.coefficients));
  }

  /** Writes the pixels of row `y` at `offset`. @throws FileError broken_image */
  writeRow(y: number, pixels: Uint8ClampedArray, offset: number): void {
    while (this.mcuRows < this.layout.mcusDown && y >= this.readyRows()) this.decodeMcuRow();
    this.layout.components.forEach((component, index) => {
      const row = this.rows[index]!;
      if (component.upsampling === 'none') {
        row.at = rowOffset(component, y);
      } else {
        row.samples = this.upsampled[index]!;
        upsampleRow(this.planes[index]!, component, y, row.samples);
      }
    });
    this.convert(this.rows, this.layout.width, pixels, offset);
  }

  /** Rows of pixels that can be made: the last of a row of MCUs may need the samples below it. */
  private readyRows(): number {
    const { rowsPerMcu, context } = this.layout;
    return this.mcuRows * rowsPerMcu - (context ? 1 : 0);
  }

  private decodeMcuRow(): void {
    this.coefficientMemory.fill(0);
    for (const cursor of this.cursors) cursor.decodeRow(this.mcuRows);
    this.layout.components.forEach((component, index) => {
      this.transform(component, this.coefficients[index]!, this.quantTables[index]!, this.planes[index]!);
    });
    this.mcuRows++;
  }

  private transform(
    component: ComponentLayout,
    { values, extents }: CoefficientRows,
    quant: Int32Array,
    plane: Uint8ClampedArray,
  ): void {
    const { vertical, blocksAcross, blocksDown, paddedAcross, blockSide, stride, planeRows } = component;
    const inverseDct = inverseDcts[blockSide];
    const firstBlockRow = this.mcuRows * vertical;
    for (let y = 0; y < vertical && firstBlockRow + y < blocksDown; y++) {
      const top = (((firstBlockRow + y) * blockSide) % planeRows) * stride;
      for (let x = 0; x < blocksAcross; x++) {
        const block = y * paddedAcross + x;
        const at = top + x * blockSide;
        if (extents[block] === 0) {
          fillFlatBlock(Math.imul(values[block * 64]!, quant[0]!), plane, at, stride, blockSide);
        } else inverseDct(values, block * 64, quant, plane, at, stride);
      }
    }
  }
}
