import { BoxReader } from './box-reader.ts';
import { type Box, child, children } from './boxes.ts';

/**
 * Whether a `moov` box holds a picture sequence of more than one frame (ISO/IEC 23008-12 §7; sample counts: ISO/IEC
 * 14496-12 §8.7.3). Fragmented files count as such: their frames are not listed here.
 * @throws FileError broken_image
 */
export function hasSeveralFrames(file: Uint8Array, moov: Box): boolean {
  for (const box of children(file, moov)) {
    if (box.type === 'mvex') return true;
    if (box.type === 'trak' && frameCount(file, box) > 1) return true;
  }
  return false;
}

/** Frames of a picture or video track; 0 for sound, alpha and depth tracks. */
function frameCount(file: Uint8Array, trak: Box): number {
  const media = child(file, trak, 'mdia');
  const handler = child(file, media, 'hdlr');
  if (handler === undefined || !['pict', 'vide'].includes(handlerType(file, handler))) return 0;
  const samples = child(file, child(file, media, 'minf'), 'stbl');
  const sizes = child(file, samples, 'stsz') ?? child(file, samples, 'stz2');
  if (sizes === undefined) return 0;
  const reader = new BoxReader(file, sizes);
  // Both kinds have four bytes between the full box's header and the count.
  reader.skip(8);
  return reader.u32();
}

function handlerType(file: Uint8Array, hdlr: Box): string {
  const reader = new BoxReader(file, hdlr);
  reader.skip(8);
  return reader.fourCc();
}
