import { ProviderError } from './provider.ts';

/** The text of a response, at most `bytes` of it; what is longer is cut and the rest never read. @throws ProviderError unavailable */
export async function readBounded({ body }: Response, bytes: number): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let left = bytes;
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
