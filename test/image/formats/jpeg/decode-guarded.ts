import { FileError } from '../../../../src/errors.ts';
import { decodeJpeg } from '../../../../src/image/formats/jpeg/decode-jpeg.ts';
import { type JpegHeader, readJpegHeader } from '../../../../src/image/formats/jpeg/header.ts';
import { keepScans } from '../../../../src/image/formats/jpeg/keep-scans.ts';
import { layoutDecode } from '../../../../src/image/formats/jpeg/layout.ts';
import { planJpegDecode } from '../../../../src/image/formats/jpeg/plan-jpeg-decode.ts';
import { scanWindowsBytes } from '../../../../src/image/formats/jpeg/scan-windows.ts';
import type { Band } from '../../../../src/image/frame.ts';
import { heldFile } from '../../../../src/image/source-file.ts';
import { decodeJpegPlainly } from '../../../reference/jpeg-decode/decode-jpeg.ts';
import type { StoredFile } from '../../../support/stored-file.ts';
import { GuardedWorkspace } from './guarded-workspace.ts';

export type Scale = 1 | 2 | 4 | 8;

/** What came of a file: its pixels, or the words with which it was refused. */
export type Outcome = Uint8Array | string;

/** The file's header where it can be read and the picture is not too large to be tried by the thousand. */
export function smallHeader(file: Uint8Array, pixels = 300_000): JpegHeader | undefined {
  try {
    const header = readJpegHeader(file);
    return header.width * header.height <= pixels ? header : undefined;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** Decodes a held file with the kernel between guards. @throws whatever is not a FileError, and when anything beside was written */
export async function decodeGuarded(file: Uint8Array, header: JpegHeader, scale: Scale): Promise<Outcome> {
  const workspace = new GuardedWorkspace();
  const data = workspace.arena(file.length);
  data.set(file);
  const plan = { ...planJpegDecode(header, file.length, header), scale };
  const outcome = await outcomeOf(() => collect(decodeJpeg(heldFile(data), header, plan, workspace), header, scale));
  if (!workspace.intact) throw new Error('the kernel wrote beside its regions');
  if (Buffer.compare(data, file) !== 0) throw new Error('the kernel wrote into the file');
  return outcome;
}

/** As `decodeGuarded`, with windows of `window` bytes on a file in a store. */
export async function decodeInWindows(
  file: StoredFile,
  content: Uint8Array,
  header: JpegHeader,
  scale: Scale,
  window: number,
): Promise<Outcome> {
  const workspace = new GuardedWorkspace();
  let promised = 0;
  const outcome = await outcomeOf(() => {
    const kept = keepScans(content, header);
    const plan = { ...planJpegDecode(header, content.length, header), scale, fileIn: 'windows' as const, window };
    promised = plan.cost.arena + scanWindowsBytes(kept.detail.scans!, window);
    return collect(decodeJpeg(file, kept, plan, workspace), header, scale);
  });
  // Nothing is taken of what is refused before, and less than planned at a smaller scale.
  if (typeof outcome === 'object' && (scale === 1 ? workspace.taken !== promised : workspace.taken > promised)) {
    throw new Error('the plan lied');
  }
  if (!workspace.intact) throw new Error('the kernel wrote beside its regions');
  if (file.bytesAgain > 0) throw new Error('bytes of the file were read twice');
  return outcome;
}

async function collect(bands: AsyncIterable<Band>, header: JpegHeader, scale: Scale): Promise<Uint8Array> {
  const { width, height } = layoutDecode(header.width, header.height, header.detail, scale);
  const pixels = new Uint8Array(width * height * 4);
  for await (const band of bands) pixels.set(band.pixels, band.top * width * 4);
  return pixels;
}

/** Decodes with the reference. */
export function decodePlainly(file: Uint8Array, header: JpegHeader, scale: Scale): Promise<Outcome> {
  return outcomeOf(() => {
    const pixels = decodeJpegPlainly(file, header, scale);
    return new Uint8Array(pixels.buffer);
  });
}

async function outcomeOf(decode: () => Promise<Uint8Array> | Uint8Array): Promise<Outcome> {
  try {
    return await decode();
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
}

/** Whether two outcomes are the same. */
export function sameOutcome(one: Outcome, other: Outcome): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return Buffer.compare(one, other) === 0;
}
