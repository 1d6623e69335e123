import { decodeWebp, planWebpDecode } from '../../../../src/image/formats/webp/decode-webp.ts';
import { readWebpHeader, type WebpHeader } from '../../../../src/image/formats/webp/header.ts';
import { GuardedWorkspace } from '../../../support/guarded-workspace.ts';

const ROOM = 64 * 1024 * 1024;
let shared: GuardedWorkspace | undefined;

export interface DecodedWebp {
  readonly header: WebpHeader;
  /** RGBA, height × width × 4. */
  readonly pixels: Uint8Array;
}

/**
 * Decodes a WebP as the engine does.
 * @throws FileError; Error when bands do not follow each other, when more was taken than planned or a kernel wrote outside its
 * regions
 */
export async function decodeFile(source: Uint8Array): Promise<DecodedWebp> {
  const header = readWebpHeader(source);
  shared ??= new GuardedWorkspace(ROOM);
  shared.begin();
  const file = shared.arena(source.length);
  file.set(source);
  const before = shared.taken;
  const [outcome] = await Promise.allSettled([gather(decodeWebp(file, header, shared), header)]);
  if (!shared.intact) throw new Error('a kernel wrote outside its regions');
  if (shared.taken - before > planWebpDecode(header).cost.arena) throw new Error('more was taken than was planned');
  if (outcome.status === 'rejected') throw outcome.reason;
  return { header, pixels: outcome.value };
}

async function gather(bands: ReturnType<typeof decodeWebp>, { width, height }: WebpHeader): Promise<Uint8Array> {
  const pixels = new Uint8Array(width * height * 4);
  let next = 0;
  for await (const band of bands) {
    if (band.top !== next || band.pixels.length !== band.rows * width * 4) throw new Error('a band is out of place');
    pixels.set(band.pixels, band.top * width * 4);
    next += band.rows;
  }
  if (next !== height) throw new Error('rows are missing');
  return pixels;
}
