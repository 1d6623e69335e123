import type { Format } from '../format.ts';
import { decodeJpeg } from './decode-jpeg.ts';
import { encodeJpeg, planJpegEncode } from './encode-jpeg.ts';
import { readJpegHeader, sniffJpeg } from './header.ts';
import { planJpegDecode } from './plan-jpeg-decode.ts';
import { stripJpegMetadata } from './strip-metadata.ts';

/** JPEG (ISO/IEC 10918-1). */
export const jpeg: Format = {
  id: 'jpg',
  mediaType: 'image/jpeg',
  extension: 'jpg',
  maxSide: 65_535,
  alpha: false,
  sniff: sniffJpeg,
  readHeader: readJpegHeader,
  planDecode: planJpegDecode,
  decode: decodeJpeg,
  planEncode: planJpegEncode,
  encode: encodeJpeg,
  stripMetadata: stripJpegMetadata,
};
