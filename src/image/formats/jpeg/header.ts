import { FileError } from '../../../errors.ts';
import { readExifOrientation } from '../../exif.ts';
import type { ImageHeader, Orientation } from '../../header.ts';
import { brokenJpeg } from './broken-jpeg.ts';
import { collectIccProfile, type IccSegment, iccSegment } from './icc-segments.ts';
import type { Scans } from './scan.ts';
import { marker, type Segment, segments } from './segments.ts';

/** One component of the frame (T.81 §B.2.2). */
export interface JpegComponent {
  readonly id: number;
  /** Sampling factors, 1–4. */
  readonly horizontal: number;
  readonly vertical: number;
  /** Quantisation table, 0–3. */
  readonly quantTable: number;
}

/** What the JPEG decoder remembers of the header. */
export interface JpegDetail {
  /** 1, 3 or 4 components, in the order of the frame header. */
  readonly components: readonly JpegComponent[];
  /** How the components are to be read as colour, decided as libjpeg does. */
  readonly colour: 'grey' | 'ycbcr' | 'rgb' | 'cmyk' | 'ycck';
  /** Whether an Adobe APP14 marker is there: such CMYK and YCCK files store inverted ink (255 = none). */
  readonly adobe: boolean;
  /** SOF2; otherwise baseline or extended sequential. Always Huffman-coded with 8-bit samples. */
  readonly progressive: boolean;
  /** MCUs between restart markers in the first scan; 0: none. Later DRI segments may change it for later scans. */
  readonly restartInterval: number;
  /** Offset in the file of the 0xFF of the first SOS marker; tables may also stand between later scans. */
  readonly firstScan: number;
  /** All scans, of a file that was not held when its header was read (`keepScans`). */
  readonly scans?: Scans;
}

/** JPEG's header: `detail` is always a `JpegDetail`. */
export interface JpegHeader extends ImageHeader {
  readonly detail: JpegDetail;
}

/** Whether the bytes start as a JPEG file does: SOI and the first byte of another marker. */
export function sniffJpeg(start: Uint8Array): boolean {
  return start[0] === 0xff && start[1] === marker.SOI && start[2] === 0xff;
}

/**
 * Reads a JPEG header up to the first scan (ITU-T T.81 annex B; JFIF: T.871; EXIF in APP1: CIPA DC-008 §4.7.2; ICC in
 * APP2: ICC.1:2022 §B.4). Tables are not looked at.
 * @throws FileError broken_image, unsupported_image
 */
export function readJpegHeader(file: Uint8Array): JpegHeader {
  const found = collect(file);
  const { frame } = found;
  if (frame === undefined || found.firstScan === undefined) throw brokenJpeg('it has no picture in it');
  const colour = colourOf(frame.components, found.jfif, found.adobeTransform);
  const profile = collectIccProfile(found.icc);
  return {
    format: 'jpg',
    width: frame.width,
    height: frame.height,
    orientation: found.orientation ?? 1,
    alpha: false,
    bitDepth: 8,
    model: colour === 'grey' ? 'grey' : colour === 'cmyk' || colour === 'ycck' ? 'cmyk' : 'rgb',
    animated: false,
    ...(profile === undefined ? {} : { profile: { kind: 'icc' as const, bytes: profile } }),
    detail: {
      components: frame.components,
      colour,
      adobe: found.adobeTransform !== undefined,
      progressive: frame.progressive,
      restartInterval: found.restartInterval,
      firstScan: found.firstScan,
    },
  };
}

interface JpegFrame {
  readonly width: number;
  readonly height: number;
  readonly progressive: boolean;
  readonly components: readonly JpegComponent[];
}

interface Found {
  frame?: JpegFrame;
  jfif: boolean;
  adobeTransform?: number;
  orientation?: Orientation;
  readonly icc: IccSegment[];
  restartInterval: number;
  firstScan?: number;
}

function collect(file: Uint8Array): Found {
  const found: Found = { jfif: false, icc: [], restartInterval: 0 };
  for (const segment of segments(file)) {
    if (segment.code === marker.EOI) break;
    if (segment.code === marker.SOS) {
      found.firstScan = segment.start;
      break;
    }
    note(found, segment, file.subarray(segment.dataStart, segment.end));
  }
  return found;
}

function note(found: Found, { code }: Segment, data: Uint8Array): void {
  if (isStartOfFrame(code)) {
    if (found.frame !== undefined) throw brokenJpeg('it has two frame headers');
    found.frame = readFrame(code, data);
  } else if (code === marker.DRI) {
    if (data.length !== 2) throw brokenJpeg('its restart interval cannot be read');
    found.restartInterval = (data[0]! << 8) | data[1]!;
  } else if (code === marker.APP0) {
    found.jfif ||= isJfif(data);
  } else if (code === marker.APP1 && startsWith(data, 'Exif\0')) {
    found.orientation ??= readExifOrientation(data);
  } else if (code === marker.APP2) {
    const piece = iccSegment(data);
    // One more than a profile can have is enough to know that it is unusable.
    if (piece !== undefined && found.icc.length <= 255) found.icc.push(piece);
  } else if (code === marker.APP14 && isAdobe(data)) {
    found.adobeTransform = data[11]!;
  }
}

/** SOFn are C0–CF without DHT, JPG and DAC. */
function isStartOfFrame(code: number): boolean {
  if (code === marker.DHT || code === marker.JPG || code === marker.DAC) return false;
  return code >= marker.SOF0 && code <= marker.SOF15;
}

function readFrame(code: number, data: Uint8Array): JpegFrame {
  const unsupported = unsupportedProcess(code);
  if (unsupported !== undefined) throw unsupportedJpeg(unsupported);
  if (data.length < 6) throw brokenJpeg('its frame header is cut short');
  const count = data[5]!;
  if (data.length !== 6 + 3 * count) throw brokenJpeg('its frame header has an impossible length');
  if (data[0] !== 8) throw unsupportedJpeg(`JPEG with ${data[0]}-bit samples`);
  const height = (data[1]! << 8) | data[2]!;
  const width = (data[3]! << 8) | data[4]!;
  if (width === 0) throw brokenJpeg('its width is 0');
  if (height === 0) throw unsupportedJpeg('JPEG whose height is not in the frame header (DNL)');
  if (count !== 1 && count !== 3 && count !== 4) throw unsupportedJpeg(`JPEG with ${count} colour components`);
  return { width, height, progressive: code === marker.SOF0 + 2, components: readComponents(data.subarray(6), count) };
}

function readComponents(data: Uint8Array, count: number): JpegComponent[] {
  const components: JpegComponent[] = [];
  for (let index = 0; index < count; index++) {
    const [id, sampling, quantTable] = data.subarray(index * 3, index * 3 + 3) as unknown as [number, number, number];
    const horizontal = sampling >> 4;
    const vertical = sampling & 15;
    const possible = horizontal >= 1 && horizontal <= 4 && vertical >= 1 && vertical <= 4 && quantTable <= 3;
    if (!possible) throw brokenJpeg('its frame header has impossible sampling factors or tables');
    if (components.some((other) => other.id === id)) throw brokenJpeg('two of its components have the same id');
    components.push({ id, horizontal, vertical, quantTable });
  }
  return components;
}

/** T.81 table B.1; undefined for the processes that are accepted: SOF0, SOF1 and SOF2. */
function unsupportedProcess(code: number): string | undefined {
  const process = code - marker.SOF0;
  if (process <= 2) return undefined;
  if (process > 8) return 'arithmetic-coded JPEG';
  return process === 3 ? 'lossless JPEG' : 'hierarchical JPEG';
}

/**
 * The decision that libjpeg takes and everybody follows: JFIF is YCbCr by definition; then the Adobe marker counts
 * (Adobe Technical Note 5116 §18); then component ids that spell R, G, B; then YCbCr, respectively CMYK.
 */
function colourOf(
  components: readonly JpegComponent[],
  jfif: boolean,
  adobeTransform: number | undefined,
): JpegDetail['colour'] {
  if (components.length === 1) return 'grey';
  if (components.length === 4) return adobeTransform === undefined || adobeTransform === 0 ? 'cmyk' : 'ycck';
  if (jfif) return 'ycbcr';
  if (adobeTransform !== undefined) return adobeTransform === 0 ? 'rgb' : 'ycbcr';
  const [first, second, third] = components.map((component) => component.id);
  return first === 0x52 && second === 0x47 && third === 0x42 ? 'rgb' : 'ycbcr';
}

/** T.871 §10.1: the identifier and nine more bytes. */
export function isJfif(data: Uint8Array): boolean {
  return data.length >= 14 && startsWith(data, 'JFIF\0');
}

/** Adobe Technical Note 5116 §18: the identifier, version, two flag words and the colour transform. */
export function isAdobe(data: Uint8Array): boolean {
  return data.length >= 12 && startsWith(data, 'Adobe');
}

function startsWith(data: Uint8Array, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (data[index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

function unsupportedJpeg(what: string): FileError {
  return new FileError(
    'unsupported_image',
    `This is a ${what}, which is not supported. Save it as baseline or progressive JPEG with 8 bits a sample.`,
  );
}
