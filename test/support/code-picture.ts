import type { FormatId } from '../../src/image/formats/format.ts';
import type { Haste } from '../../src/image/formats/haste.ts';
import { registry } from '../../src/image/formats/registry.ts';
import type { ImageHeader } from '../../src/image/header.ts';
import { identify } from '../../src/image/identify.ts';
import { JobWorkspace } from '../../src/image/job-workspace.ts';
import { Arena } from '../../src/image/kernels/arena.ts';
import { heldFile } from '../../src/image/source-file.ts';
import { bandsOf, gatherBands } from './bands.ts';
import type { SyntheticPicture } from './synthetic-picture.ts';

/** The arena that making and judging pictures shares: memories that are dropped are not collected in time. */
const arena = new Arena();

/** Codes a picture in a format, with the format's own encoder. @param room and `haste`: see `EncodeOptions` */
export async function encodePicture(
  id: FormatId,
  { pixels, frame }: SyntheticPicture,
  quality = 82,
  room?: number,
  haste: Haste = 0,
): Promise<Uint8Array<ArrayBuffer>> {
  const format = registry[id];
  const options = { quality, haste, ...(room !== undefined && { room }) };
  const plan = format.planEncode(frame, options);
  const workspace = new JobWorkspace(arena);
  try {
    workspace.stage(plan.cost);
    const rows = plan.wholeFrame ? frame.height : 7;
    const bands = { [Symbol.asyncIterator]: () => bandsOf(pixels, frame, rows)[Symbol.asyncIterator]() };
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of format.encode(bands, frame, options, workspace)) parts.push(piece.slice());
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  } finally {
    workspace.finish();
  }
}

/** Decodes a file at full size with its format's own decoder, nothing else done. @throws FileError */
export async function decodePicture(
  source: Uint8Array,
): Promise<{ readonly header: ImageHeader; readonly pixels: Uint8Array }> {
  const workspace = new JobWorkspace(arena);
  try {
    const header = await identify(source);
    const format = registry[header.format];
    const plan = format.planDecode(header, source.length, header);
    workspace.stage({ ...plan.cost, arena: plan.cost.arena + source.length + 16 });
    const inArena = plan.fileIn === 'arena';
    const file = inArena ? workspace.arena(source.length) : workspace.buffer(source.length);
    file.set(source);
    const pixels = await gatherBands(format.decode(heldFile(file), header, plan, workspace), plan.frame);
    return { header, pixels };
  } finally {
    workspace.finish();
  }
}
