import type { z } from 'zod';
import { RequestError } from '../errors.ts';

/** Bytes of a JSON body, unless a call says otherwise: most have a few hundred at the most. */
const MAX_BYTES = 16 * 1024;

/**
 * Reads a JSON body and checks it; stops reading as soon as it has more bytes than it may.
 * @throws RequestError unsupported_media_type, payload_too_large, invalid_request (names the field)
 */
export async function readJson<T>(request: Request, schema: z.ZodType<T>, maxBytes: number = MAX_BYTES): Promise<T> {
  const mediaType = (request.headers.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new RequestError('unsupported_media_type', 'Send the body as JSON with "Content-Type: application/json".');
  }
  const result = schema.safeParse(parse(await readText(request.body, maxBytes)));
  if (result.success) return result.data;
  throw new RequestError('invalid_request', result.error.issues.map(describe).join(' '));
}

async function readText(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let bytes = 0;
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw new RequestError('invalid_request', 'The body is not valid UTF-8 or did not arrive whole.');
  }
}

function tooLarge(maxBytes: number): RequestError {
  return new RequestError('payload_too_large', `The body may have at most ${maxBytes / 1024} KiB.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError('invalid_request', 'The body is not valid JSON.');
  }
}

function describe(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.');
  return field === '' ? `${issue.message}.` : `${field}: ${issue.message}.`;
}
