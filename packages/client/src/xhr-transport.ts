import { ConnectionError } from './errors.ts';
import type { HttpAnswer, HttpRequest } from './transport.ts';

/** Whether this is a browser's page, where XMLHttpRequest tells how much of a body has left. */
export const hasXhr = typeof XMLHttpRequest === 'function';

/** Sends through XMLHttpRequest: the only way to know how an upload goes on. The answer is readable while it comes. */
export function xhrTransport({ method, url, headers, body, signal, onUpload }: HttpRequest): Promise<HttpAnswer> {
  signal.throwIfAborted();
  const xhr = new XMLHttpRequest();
  const text = new GrowingText();
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const fail = (error: unknown) => {
    text.fail(error);
    reject(error);
  };
  const abort = () => {
    xhr.abort();
    fail(signal.reason);
  };
  signal.addEventListener('abort', abort);
  xhr.open(method, url);
  for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
  xhr.upload.onprogress = ({ loaded }) => onUpload?.(loaded);
  xhr.onreadystatechange = () => {
    if (xhr.readyState !== XMLHttpRequest.HEADERS_RECEIVED || xhr.status === 0) return;
    const header = (name: string) => xhr.getResponseHeader(name);
    resolve({ status: xhr.status, header, pieces: () => text.pieces() });
  };
  xhr.onprogress = () => text.grow(xhr.responseText);
  xhr.onload = () => {
    text.grow(xhr.responseText);
    text.end();
  };
  xhr.onerror = () => fail(new ConnectionError('The service could not be reached, or the connection broke.'));
  xhr.onloadend = () => signal.removeEventListener('abort', abort);
  xhr.send(body ?? null);
  return promise;
}

/** A text that grows at its end, read piece by piece by one reader. */
class GrowingText {
  #text = '';
  #read = 0;
  #over = false;
  #error: unknown;
  #wake: () => void = () => {};

  grow(text: string): void {
    this.#text = text;
    this.#wake();
  }

  end(): void {
    this.#over = true;
    this.#wake();
  }

  fail(error: unknown): void {
    this.#error ??= error;
    this.end();
  }

  async *pieces(): AsyncGenerator<string> {
    for (;;) {
      const piece = this.#text.slice(this.#read);
      this.#read = this.#text.length;
      if (piece !== '') yield piece;
      else if (this.#error !== undefined) throw this.#error;
      else if (this.#over) return;
      else
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
    }
  }
}
