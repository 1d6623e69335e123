/** The files of a ZIP whose entries are stored as they are (APPNOTE 4.3), by their name. @throws Error where it is not one */
export function zipFiles(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('no end of central directory');
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  const files = new Map<string, Buffer>();
  for (let file = 0; file < count; file++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error(`no entry at ${at}`);
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 24)];
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    if (method !== 0) throw new Error('an entry is compressed');
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength!);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    files.set(name, bytes.subarray(start, start + size));
    at += 46 + nameLength! + extraLength! + noteLength!;
  }
  return files;
}
