import { Buffer } from 'node:buffer';
import { RequestError } from '../errors.ts';
import { type BodyRules, checkHeaders } from './body-rules.ts';
import { BodyWindow } from './body-window.ts';
import { headerParameters } from './header-parameters.ts';
import { type PartHeader, partHeader } from './part-header.ts';
import { PartScanner } from './part-scanner.ts';

/** Bytes of the body that are in memory at once, now and then once more as text; larger ones would only save calls. */
const WINDOW_BYTES = 32 * 1024;
/** Bytes before the first boundary. */
const PREAMBLE_BYTES = 16 * 1024;
/** Bytes behind the closing boundary that are read so that the connection can be used again. */
const EPILOGUE_BYTES = 16 * 1024;
/** Bytes that are read and dropped of a refused form: what the largest one allowed may have left. */
const LINGER_BYTES = 410 * 1024 * 1024;
/** Characters of a boundary: RFC 2046 allows 70, some clients take more. */
const BOUNDARY_CHARACTERS = 200;

/** One part of a form. */
export interface FormPart extends PartHeader {
  /** The content as it arrives. A chunk is valid until the next one is asked for. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Reads multipart/form-data (RFC 7578) part by part as it arrives. Nothing is read from the request while a part's body is
 * not consumed; what is left of it when the next part is asked for is passed over. Ending the iteration early drops the
 * rest of the request (see `BodyWindow.discard`).
 *
 * Written here because no library holds: those with streamed bodies lose data without a word. busboy 1.6.0 drops parts
 * whose Content-Disposition it cannot parse (`filename=a b.jpg`, a bad `filename*`) or whose delimiter has trailing
 * blanks, cuts a file off at a line that only begins like the boundary, takes a part without content for the text of the
 * next, and cannot tell an empty file input from a text field. multipasta 0.2.8 misses a closing delimiter that is
 * split between chunks; @remix-run/multipart-parser holds each part whole.
 * @throws RequestError unsupported_media_type, payload_too_large, invalid_request, request_timeout
 */
export async function* readMultipart(
  request: { readonly headers: Headers; readonly body: ReadableStream<Uint8Array> | null },
  { parts, ...rules }: BodyRules & { readonly parts: number },
): AsyncGenerator<FormPart, void, void> {
  checkHeaders(request.headers, rules.maxBytes);
  const boundary = boundaryOf(request.headers.get('content-type'));
  if (request.body === null) throw malformed('it is empty');
  const window = new BodyWindow(request.body, { capacity: WINDOW_BYTES, start: Buffer.from('\r\n'), ...rules });
  const scanner = new PartScanner(window, boundary);
  try {
    await passPreamble(scanner);
    for (let count = 1; !scanner.closed; count++) {
      if (count > parts) throw malformed(`it has more than ${parts} parts`);
      const header = partHeader(await scanner.headers());
      let current = true;
      yield { ...header, body: content(scanner, () => current) };
      current = false;
      while ((await scanner.content()) !== undefined);
    }
  } finally {
    await window.discard(scanner.closed ? EPILOGUE_BYTES : LINGER_BYTES);
  }
}

async function* content(scanner: PartScanner, isCurrent: () => boolean): AsyncGenerator<Uint8Array, void, void> {
  while (isCurrent()) {
    const chunk = await scanner.content();
    if (chunk === undefined) return;
    yield chunk;
  }
}

async function passPreamble(scanner: PartScanner): Promise<void> {
  let passed = 0;
  for (let chunk = await scanner.content(); chunk !== undefined; chunk = await scanner.content()) {
    passed += chunk.length;
    if (passed > PREAMBLE_BYTES) throw malformed('the boundary that its Content-Type names is not in it');
  }
}

function boundaryOf(contentType: string | null): string {
  const { value, parameters } = headerParameters(contentType ?? '');
  if (value !== 'multipart/form-data') {
    const message = 'The body must be a form: send it with Content-Type multipart/form-data.';
    throw new RequestError('unsupported_media_type', message);
  }
  const boundary = parameters.get('boundary') ?? '';
  if (boundary === '') throw malformed('its Content-Type names no boundary');
  if (boundary.length > BOUNDARY_CHARACTERS)
    throw malformed(`its boundary is longer than ${BOUNDARY_CHARACTERS} characters`);
  return boundary;
}

function malformed(what: string): RequestError {
  return new RequestError('invalid_request', `The form is malformed: ${what}.`);
}
