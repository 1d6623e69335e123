/** A RIFF chunk with its padding byte, made for tests. */
export function webpChunk(id: string, data: Uint8Array | readonly number[]): Uint8Array {
  const chunk = new Uint8Array(8 + data.length + (data.length & 1));
  chunk.set(new TextEncoder().encode(id));
  new DataView(chunk.buffer).setUint32(4, data.length, true);
  chunk.set(data, 8);
  return chunk;
}

/** A WebP file of chunks. */
export function webpFile(...chunks: readonly Uint8Array[]): Uint8Array {
  const body = chunks.flatMap((chunk) => [...chunk]);
  return webpChunk('RIFF', [...new TextEncoder().encode('WEBP'), ...body]);
}

const low24 = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255];

/** A VP8 key frame's header, followed by `rest` bytes of nothing. */
export function vp8(width: number, height: number, rest = 20): Uint8Array {
  const firstPartition = 9;
  const tag = (1 << 4) | (firstPartition << 5);
  const sides = [width & 255, width >> 8, height & 255, height >> 8];
  return webpChunk('VP8 ', [...low24(tag), 0x9d, 0x01, 0x2a, ...sides, ...new Uint8Array(rest)]);
}

/** A VP8L header, followed by three bytes of nothing. */
export function vp8l(width: number, height: number, alpha = false): Uint8Array {
  const bits = ((width - 1) | ((height - 1) << 14) | (alpha ? 1 << 28 : 0)) >>> 0;
  return webpChunk('VP8L', [0x2f, bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, bits >>> 24, 1, 2, 3]);
}

export function vp8x(flags: number, width: number, height: number): Uint8Array {
  return webpChunk('VP8X', [flags, 0, 0, 0, ...low24(width - 1), ...low24(height - 1)]);
}

/** A frame of an animation at the top left corner, shown for 100 ms. */
export function anmf(width: number, height: number, ...chunks: readonly Uint8Array[]): Uint8Array {
  const placement = [...low24(0), ...low24(0), ...low24(width - 1), ...low24(height - 1), ...low24(100), 0];
  return webpChunk('ANMF', [...placement, ...chunks.flatMap((chunk) => [...chunk])]);
}

/** The file with its picture chunk, the last one, ending earlier and every length set right. */
export function shortenedWebp(file: Uint8Array, chunkStart: number, end: number): Uint8Array {
  const odd = (end - chunkStart) & 1;
  const cut = new Uint8Array(end + odd);
  cut.set(file.subarray(0, end));
  const view = new DataView(cut.buffer);
  view.setUint32(chunkStart + 4, end - chunkStart - 8, true);
  view.setUint32(4, cut.length - 8, true);
  return cut;
}
