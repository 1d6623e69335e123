import type { Transform } from 'node:stream';

/**
 * Sends bytes through a `node:zlib` stream. Pieces are given one at a time and are not looked at again once the next is asked
 * for; output waits for its reader, so whatever the stream expands to, only a few of its pieces exist at once.
 * Errors of the source come out as they are; those of the stream are the runtime's.
 */
export async function* runTransform(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncGenerator<Uint8Array> {
  const feeding = feed(source, transform);
  try {
    for await (const piece of transform) yield piece as Uint8Array;
  } finally {
    transform.destroy();
    await feeding;
  }
}

/** Never rejects: what goes wrong reaches the reader through the stream. */
async function feed(source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, transform: Transform): Promise<void> {
  try {
    for await (const piece of source) {
      if (!(await write(transform, piece))) return;
    }
    transform.end();
  } catch (error) {
    transform.destroy(error as Error);
  }
}

/** Resolves when the piece has been taken in: true, or false when the stream was closed before that. */
function write(transform: Transform, piece: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    if (transform.destroyed) {
      resolve(false);
      return;
    }
    const closed = (): void => resolve(false);
    transform.once('close', closed);
    transform.write(piece, (error) => {
      transform.off('close', closed);
      resolve(!error);
    });
  });
}
