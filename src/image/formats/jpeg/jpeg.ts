import type { Format } from '../format.ts';
import { decodeJpeg } from './decode-jpeg.ts';
import { encodeJpeg, planJpegEncode } from './encode-jpeg.ts';
import { readJpegHeader, sniffJpeg } from './header.ts';
import { keepScans } from './keep-scans.ts';
import { planJpegDecode } from './plan-jpeg-decode.ts';
import { stripJpegMetadata } from './strip-metadata.ts';

/** JPEG (ISO/IEC 10918-1). */
export const jpeg: Format = {
  id: 'jpg',
  mediaType: 'image/jpeg',
  extension: 'jpg',
  // T.81 could say 65,535, but libjpeg, and with it every common viewer, opens nothing above this (JPEG_MAX_DIMENSION).
  maxSide: 65_500,
  alpha: false,
  sniff: sniffJpeg,
  readHeader: readJpegHeader,
  index: keepScans,
  planDecode: planJpegDecode,
  decode: decodeJpeg,
  planEncode: planJpegEncode,
  encode: encodeJpeg,
  stripMetadata: stripJpegMetadata,
};
