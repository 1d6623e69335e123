import { type PlatformShell, platformShell, usualPatience } from '../platform/call-platform.ts';
import { sendPieces } from './send-pieces.ts';

/**
 * Stores bytes that come in pieces as one object. They are handed over as a stream of known length, because R2's binding copies what
 * it is given whole before it sends any of it. When this returns, nothing reads the pieces any more.
 * @throws PlatformError
 */
export async function putSegment(
  bucket: R2Bucket,
  key: string,
  pieces: readonly Uint8Array<ArrayBuffer>[],
  shell: PlatformShell = platformShell,
): Promise<void> {
  await sendPieces('R2 put', pieces, (body) => bucket.put(key, body), { patience: usualPatience, shell });
}
