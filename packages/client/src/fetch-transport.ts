import { ConnectionError } from './errors.ts';
import type { HttpAnswer, HttpRequest, Transport } from './transport.ts';

/** Sends through `fetch`, which every runtime has; it cannot tell how much of a body has left. */
export function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return async ({ method, url, headers, body, signal }: HttpRequest) => {
    const request = { method, headers, signal, ...(body !== undefined && { body }) };
    const response = await fetch(url, request).catch((error: unknown) => broken(error, signal));
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      pieces: () => pieces(response, signal),
    } satisfies HttpAnswer;
  };
}

async function* pieces(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => broken(error, signal));
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // Who stops reading early needs the rest no more.
    reader.cancel().catch(() => {});
  }
}

function broken(error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted();
  throw new ConnectionError('The service could not be reached, or the connection broke.', { cause: error });
}
