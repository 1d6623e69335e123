import { readPngHeader } from '../../../../src/image/formats/png/header.ts';
import { planPngRecompress, recompressPng } from '../../../../src/image/formats/png/recompress-png.ts';
import { joined, placing, withinPlan } from './collect.ts';

/** Writes a whole file smaller, checking the plan. @param window as for `decodeWhole` */
export async function recompressWhole(bytes: Uint8Array, window?: number): Promise<Uint8Array<ArrayBuffer>> {
  const header = readPngHeader(bytes);
  const plan = planPngRecompress(header, bytes.length, placing(window));
  return withinPlan(bytes, plan, (file, workspace) => joined(recompressPng(file, header, plan, workspace)));
}
