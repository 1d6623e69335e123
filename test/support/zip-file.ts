import { crc32 } from 'node:zlib';

/** Signatures of APPNOTE.TXT 6.3.10: end of central directory, central directory header, local file header. */
const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;

/** Reads a ZIP without compression from its central directory on, as unpackers do, and checks every CRC-32. @throws Error */
export function readZip(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 22;
  if (view.getUint32(end, true) !== END) throw new Error('no end of the central directory');
  const files = new Map<string, Uint8Array>();
  let at = view.getUint32(end + 16, true);
  for (let entry = 0; entry < view.getUint16(end + 10, true); entry++) {
    if (view.getUint32(at, true) !== CENTRAL) throw new Error(`entry ${entry} is no entry`);
    if (view.getUint16(at + 10, true) !== 0) throw new Error(`entry ${entry} is compressed`);
    const [crc, size] = [view.getUint32(at + 16, true), view.getUint32(at + 24, true)];
    const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)];
    const commentLength = view.getUint16(at + 32, true);
    const name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      bytes.subarray(at + 46, at + 46 + nameLength),
    );
    const content = contentOf(bytes, view, view.getUint32(at + 42, true), size);
    if (crc32(content) !== crc) throw new Error(`${name}: the checksum is wrong`);
    if (files.has(name)) throw new Error(`${name} is there twice`);
    files.set(name, content);
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}

function contentOf(bytes: Uint8Array, view: DataView, at: number, size: number): Uint8Array {
  if (view.getUint32(at, true) !== LOCAL) throw new Error('no local header');
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  return bytes.slice(start, start + size);
}
