import type { ImageHeader } from '../../header.ts';
import type { JpegDetail, JpegHeader } from './header.ts';
import { readScans } from './scans.ts';

/**
 * Finds all scans of a file that will be read in windows and keeps them in its header. None of it is a view of the file.
 * @throws FileError broken_image
 */
export function keepScans(file: Uint8Array, header: ImageHeader): JpegHeader {
  const detail = header.detail as JpegDetail;
  return { ...header, detail: { ...detail, scans: readScans(file, detail) } };
}
