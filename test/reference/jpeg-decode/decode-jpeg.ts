import type { JpegDetail } from '../../../src/image/formats/jpeg/header.ts';
import {
  type BlockSide,
  type ComponentLayout,
  type DecodeLayout,
  layoutDecode,
} from '../../../src/image/formats/jpeg/layout.ts';
import { leastRows } from '../../../src/image/formats/jpeg/least-rows.ts';
import type { Scans } from '../../../src/image/formats/jpeg/scan.ts';
import { readScans } from '../../../src/image/formats/jpeg/scans.ts';
import type { ImageHeader } from '../../../src/image/header.ts';
import { type CoefficientRows, coefficientBytes, coefficientRows } from './coefficient-rows.ts';
import { type ColourConversion, colourConversion, type SampleRow } from './colour-conversion.ts';
import { dequantised, fillFlatBlock, type InverseDct, inverseDct8 } from './inverse-dct.ts';
import { inverseDct1, inverseDct2, inverseDct4 } from './reduced-inverse-dct.ts';
import { ScanCursor } from './scan-cursor.ts';
import { rowOffset, upsampleRow } from './upsample.ts';

const inverseDcts: Readonly<Record<BlockSide, InverseDct>> = {
  1: inverseDct1,
  2: inverseDct2,
  4: inverseDct4,
  8: inverseDct8,
};

/**
 * The plain decoder that the kernel `jpeg-decode` must equal bit for bit: RGBA or CMYK of the whole picture at 1/`scale`.
 * @throws FileError broken_image
 */
export function decodeJpegPlainly(file: Uint8Array, header: ImageHeader, scale: 1 | 2 | 4 | 8): Uint8ClampedArray {
  const detail = header.detail as JpegDetail;
  const layout = layoutDecode(header.width, header.height, detail, scale);
  const decoder = new RowDecoder(file, detail, layout, readScans(file, detail));
  const pixels = new Uint8ClampedArray(layout.width * layout.height * 4);
  for (let y = 0; y < layout.height; y++) decoder.writeRow(y, pixels, y * layout.width * 4);
  return pixels;
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

  constructor(file: Uint8Array, detail: JpegDetail, layout: DecodeLayout, found: Scans) {
    this.layout = layout;
    this.quantTables = found.quantTables;
    this.coefficientMemory = new Uint8Array(coefficientBytes(layout));
    this.coefficients = coefficientRows(layout, this.coefficientMemory);
    this.planes = layout.components.map(({ stride, planeRows }) => new Uint8ClampedArray(stride * planeRows));
    // Interpolation writes whole pairs of samples.
    this.upsampled = layout.components.map(() => new Uint8ClampedArray(layout.width + 2));
    this.rows = this.planes.map((samples) => ({ samples, at: 0 }));
    this.convert = colourConversion(detail.colour);
    this.cursors = found.scans.map(
      (scan, index) => new ScanCursor(file, scan, leastRows(found, index, layout.mcusDown), layout, this.coefficients),
    );
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
          fillFlatBlock(dequantised(values[block * 64]!, quant[0]!), plane, at, stride, blockSide);
        } else inverseDct(values, block * 64, quant, plane, at, stride);
      }
    }
  }
}
