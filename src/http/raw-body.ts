import { type BodyRules, checkHeaders } from './body-rules.ts';
import { BodyWindow } from './body-window.ts';

/** Bytes of the body that are in memory at once. */
const WINDOW_BYTES = 32 * 1024;
/** Bytes that are read and dropped of a refused body: what the largest file allowed may have left, and some more. */
const LINGER_BYTES = 32 * 1024 * 1024;

/**
 * Reads a body that is a file and nothing else, as it arrives. A chunk is valid until the next one is asked for. Ending the iteration early
 * drops the rest (see `BodyWindow.discard`).
 * @throws RequestError unsupported_media_type, payload_too_large, request_timeout, invalid_request when the client went away
 */
export async function* readRawBody(
  request: { readonly headers: Headers; readonly body: ReadableStream<Uint8Array> | null },
  rules: BodyRules,
): AsyncGenerator<Uint8Array, void, void> {
  checkHeaders(request.headers, rules.maxBytes);
  if (request.body === null) return;
  const window = new BodyWindow(request.body, { capacity: WINDOW_BYTES, start: new Uint8Array(0), ...rules });
  let whole = false;
  try {
    while (await window.fill()) {
      yield window.bytes;
      window.skip(window.bytes.length);
    }
    whole = true;
  } finally {
    await window.discard(whole ? 0 : LINGER_BYTES);
  }
}
