/** One HTTP request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: FormData | string;
  readonly signal: AbortSignal;
  /** Told as the body leaves, where the transport can tell. */
  readonly onUpload?: (sentBytes: number) => void;
}

/** What came back: its head at once, its body as text that comes in pieces. */
export interface HttpAnswer {
  readonly status: number;
  header(name: string): string | null;
  pieces(): AsyncIterable<string>;
}

/**
 * Sends one request once.
 * @throws ConnectionError when there is no answer; what `signal` aborts with
 */
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>;

/** The whole body. */
export async function bodyText(answer: HttpAnswer): Promise<string> {
  let text = '';
  for await (const piece of answer.pieces()) text += piece;
  return text;
}
