import { heldBytes } from '../../source-file.ts';
import type { Format } from '../format.ts';
import { decodeAvif, planAvifDecode } from './decode-avif.ts';
import { encodeAvif, planAvifEncode } from './encode-avif.ts';
import { sniffAvif } from './file-type.ts';
import { readAvifHeader } from './header.ts';
import { stripAvifMetadata } from './strip-metadata.ts';

/** AVIF (AV1 Image File Format 1.1). */
export const avif: Format = {
  id: 'avif',
  mediaType: 'image/avif',
  extension: 'avif',
  maxSide: 65_535,
  alpha: true,
  sniff: sniffAvif,
  readHeader: readAvifHeader,
  planDecode: planAvifDecode,
  decode: (file, header, _plan, workspace) => decodeAvif(heldBytes(file), header, workspace),
  planEncode: planAvifEncode,
  encode: encodeAvif,
  stripMetadata: stripAvifMetadata,
};
