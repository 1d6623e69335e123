import { decodeWebp, planWebpDecode, windowBytes } from '../../../../src/image/formats/webp/decode-webp.ts';
import { readWebpHeader, type WebpHeader } from '../../../../src/image/formats/webp/header.ts';
import { heldFile, type SourceFile } from '../../../../src/image/source-file.ts';
import { GuardedWorkspace } from '../../../support/guarded-workspace.ts';
import { StoredFile } from '../../../support/stored-file.ts';

const ROOM = 64 * 1024 * 1024;
/** Room for the sizes of seven token partitions, which are read before it is known how many there are. */
const READ_TWICE = 21;
let shared: GuardedWorkspace | undefined;

export interface DecodedWebp {
  readonly header: WebpHeader;
  /** RGBA, height × width × 4. */
  readonly pixels: Uint8Array;
  /** How often the file was read. */
  readonly reads: number;
}

/**
 * Decodes a WebP as the engine does.
 * @param window bytes: the file is read in windows of so many; otherwise it lies in the arena
 * @throws FileError; Error when bands do not follow each other, when more was taken than planned, when a kernel wrote outside its
 * regions or when bytes of the file were read twice
 */
export async function decodeFile(source: Uint8Array, window?: number): Promise<DecodedWebp> {
  const header = readWebpHeader(source);
  const held = planWebpDecode(header, 0);
  shared ??= new GuardedWorkspace(ROOM);
  shared.begin();
  const stored = new StoredFile(source);
  const file = window === undefined ? inArena(source, shared) : stored;
  const arena = held.cost.arena + (window === undefined ? 0 : windowBytes(header.detail, window));
  const plan = window === undefined ? held : { ...held, fileIn: 'windows' as const, window };
  const before = shared.taken;
  const [outcome] = await Promise.allSettled([gather(decodeWebp(file, header, plan, shared), header)]);
  if (!shared.intact) throw new Error('a kernel wrote outside its regions');
  if (shared.taken - before > arena) throw new Error('more was taken than was planned');
  if (stored.bytesAgain > READ_TWICE) throw new Error(`${stored.bytesAgain} bytes of the file were read twice`);
  if (outcome.status === 'rejected') throw outcome.reason;
  return { header, pixels: outcome.value, reads: stored.reads.length };
}

function inArena(source: Uint8Array, workspace: GuardedWorkspace): SourceFile {
  const held = workspace.arena(source.length);
  held.set(source);
  return heldFile(held);
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
