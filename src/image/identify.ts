import { FileError } from '../errors.ts';
import type { Format } from './formats/format.ts';
import { registry } from './formats/registry.ts';
import type { ImageHeader } from './header.ts';

/** Bytes that are enough to tell the formats apart. */
const SIGNATURE_BYTES = 64;

/** Formats that people send although they are not accepted: naming them makes the refusal clear. */
const strangers: readonly { readonly name: string; readonly matches: (start: string) => boolean }[] = [
  { name: 'GIF', matches: (start) => start.startsWith('GIF8') },
  { name: 'HEIC', matches: (start) => start.slice(4, 8) === 'ftyp' && /hei[cxms]|hev[cx]/.test(start.slice(8, 40)) },
  { name: 'TIFF', matches: (start) => start.startsWith('II*\0') || start.startsWith('MM\0*') },
  { name: 'JPEG XL', matches: (start) => start.startsWith('\xff\x0a') || start.slice(4, 8) === 'JXL ' },
  { name: 'JPEG 2000', matches: (start) => start.slice(4, 8) === 'jP  ' || start.startsWith('\xff\x4f\xff\x51') },
  { name: 'BMP', matches: (start) => start.startsWith('BM') },
  { name: 'SVG', matches: (start) => /^\s*<(\?xml|svg|!--)/i.test(start) },
  { name: 'PDF', matches: (start) => start.startsWith('%PDF') },
];

/** Finds the format by content and reads the header. @throws FileError unsupported_image, broken_image */
export async function identify(file: Uint8Array): Promise<ImageHeader> {
  return await formatOf(file).readHeader(file);
}

function formatOf(file: Uint8Array): Format {
  const start = file.subarray(0, SIGNATURE_BYTES);
  const format = Object.values(registry).find(({ sniff }) => sniff(start));
  if (format !== undefined) return format;
  const text = String.fromCharCode(...start);
  const stranger = strangers.find(({ matches }) => matches(text));
  const what = stranger ? `This is a ${stranger.name} file` : 'This is not a picture of a known format';
  throw new FileError('unsupported_image', `${what}. Send a JPEG, PNG, WebP or AVIF.`);
}
