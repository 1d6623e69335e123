import type { Format } from '../format.ts';
import { decodePng, planPngDecode } from './decode-png.ts';
import { encodePng, planPngEncode } from './encode-png.ts';
import { readPngHeader, sniffPng } from './header.ts';
import { planPngRecompress, recompressPng } from './recompress-png.ts';
import { stripPngMetadata } from './strip-metadata.ts';

/** PNG, third edition (W3C 2025, ISO/IEC 15948). Everything streams: memory grows with the width, never with the height. */
export const png: Format = {
  id: 'png',
  mediaType: 'image/png',
  extension: 'png',
  maxSide: 0x7fffffff,
  alpha: true,
  sniff: sniffPng,
  readHeader: readPngHeader,
  planDecode: (header, fileBytes) => planPngDecode(header, fileBytes),
  decode: decodePng,
  planEncode: planPngEncode,
  encode: (bands, frame, _options, workspace) => encodePng(bands, frame, workspace),
  recompress: { plan: planPngRecompress, run: recompressPng },
  stripMetadata: stripPngMetadata,
};
