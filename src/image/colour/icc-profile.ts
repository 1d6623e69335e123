/** The parts of an ICC profile that colour conversion needs (ICC.1:2022, clause 7). */
export interface IccProfile {
  /** Four-character signature of the data colour space: 'RGB ', 'GRAY', 'CMYK', … */
  readonly space: string;
  readonly connection: 'XYZ' | 'Lab';
  /** Major version. */
  readonly version: number;
  /** The tag's element data, or undefined where the profile has no such tag or it lies outside the file. */
  tag(signature: string): DataView | undefined;
}

const HEADER = 128;
/** The most that a profile may have, in bytes: the largest in use (CMYK tables) are below 3 MiB. */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
/** Tags that are looked at: profiles have 10–30. */
const MAX_TAGS = 256;

/** Reads the header and the tag table; undefined where the bytes are not a usable profile. */
export function readIccProfile(bytes: Uint8Array): IccProfile | undefined {
  if (bytes.length < HEADER + 4 || bytes.length > MAX_PROFILE_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const connection = { 'XYZ ': 'XYZ', 'Lab ': 'Lab' }[signatureAt(view, 20)] as 'XYZ' | 'Lab' | undefined;
  if (signatureAt(view, 36) !== 'acsp' || connection === undefined) return undefined;
  // Links, named colours and abstract profiles do not describe a picture's colours.
  if (!['scnr', 'mntr', 'prtr', 'spac'].includes(signatureAt(view, 12))) return undefined;
  const tags = readTags(view);
  return {
    space: signatureAt(view, 16),
    connection,
    version: view.getUint8(8),
    tag: (signature) => tags.get(signature),
  };
}

function readTags(view: DataView): Map<string, DataView> {
  const tags = new Map<string, DataView>();
  const count = Math.min(view.getUint32(HEADER), MAX_TAGS, Math.floor((view.byteLength - HEADER - 4) / 12));
  for (let index = 0; index < count; index++) {
    const entry = HEADER + 4 + index * 12;
    const offset = view.getUint32(entry + 4);
    const size = view.getUint32(entry + 8);
    if (size < 8 || offset + size > view.byteLength) continue;
    tags.set(signatureAt(view, entry), new DataView(view.buffer, view.byteOffset + offset, size));
  }
  return tags;
}

/** The four characters at an offset. */
export function signatureAt(view: DataView, offset: number): string {
  return String.fromCharCode(
    view.getUint8(offset),
    view.getUint8(offset + 1),
    view.getUint8(offset + 2),
    view.getUint8(offset + 3),
  );
}

/** s15Fixed16Number (4.6). */
export function fixedAt(view: DataView, offset: number): number {
  return view.getInt32(offset) / 65_536;
}
