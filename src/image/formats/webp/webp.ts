import type { Format } from '../format.ts';
import { decodeWebp, planWebpDecode } from './decode-webp.ts';
import { encodeWebp, planWebpEncode } from './encode-webp.ts';
import { readWebpHeader, sniffWebp } from './header.ts';
import { stripWebpMetadata } from './strip-metadata.ts';

/** WebP (RFC 9649). */
export const webp: Format = {
  id: 'webp',
  mediaType: 'image/webp',
  extension: 'webp',
  maxSide: 16_383,
  alpha: true,
  sniff: sniffWebp,
  readHeader: readWebpHeader,
  planDecode: planWebpDecode,
  decode: decodeWebp,
  planEncode: planWebpEncode,
  encode: encodeWebp,
  stripMetadata: stripWebpMetadata,
};
