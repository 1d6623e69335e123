import type { z } from 'zod';
import { RequestError } from '../errors.ts';

/** Bytes of a JSON body: the largest that the interface knows is a few hundred. */
const MAX_BYTES = 16 * 1024;

/**
 * Reads a JSON body and checks it; stops reading as soon as it is over 16 KiB.
 * @throws RequestError unsupported_media_type, payload_too_large, invalid_request (names the field)
 */
export async function readJson<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const mediaType = (request.headers.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new RequestError('unsupported_media_type', 'Send the body as JSON with "Content-Type: application/json".');
  }
  const result = schema.safeParse(parse(await readText(request.body)));
  if (result.success) return result.data;
  throw new RequestError('invalid_request', result.error.issues.map(describe).join(' '));
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let bytes = 0;
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) throw new RequestError('payload_too_large', 'The body may have at most 16 KiB.');
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw new RequestError('invalid_request', 'The body is not valid UTF-8 or did not arrive whole.');
  }
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
