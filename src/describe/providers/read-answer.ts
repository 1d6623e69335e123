import { ProviderError } from './provider.ts';

/** Bytes of an answer that are read: two short texts, and whatever a model thinks aloud. The rest is cut off. */
export const ANSWER_BYTES = 256 * 1024;

/** The value of a body that is JSON, its text where it is none. @throws ProviderError unavailable when it breaks off */
export async function readAnswer(body: ReadableStream<Uint8Array> | null): Promise<unknown> {
  const text = body === null ? '' : await readText(body);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let left = ANSWER_BYTES;
  let text = '';
  try {
    while (left > 0) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.length;
    }
  } catch {
    throw new ProviderError('unavailable');
  } finally {
    await reader.cancel().catch(() => {});
  }
  return text;
}
