import { apiError, ConnectionError, TimeoutError } from './errors.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import { bodyText, type HttpAnswer, type HttpRequest, type Transport } from './transport.ts';

/** A call of the API, before it is addressed and signed. */
export interface Call {
  readonly method: HttpRequest['method'];
  /** Begins with `/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly onUpload?: (sentBytes: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** Sent once, whatever becomes of it: what is not safe to repeat. */
  readonly once?: boolean;
}

export interface CallerOptions {
  /** Without a slash at the end; empty: the page's own origin. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Milliseconds of silence, in which nothing is sent and nothing comes, that are taken for the end. */
  readonly silenceMs: number;
  readonly retry: RetryPolicy;
  readonly transport: Transport;
  /** For requests whose upload is watched. */
  readonly uploadTransport: Transport;
}

/** Addresses, signs and sends calls, repeats those that may be, and turns what went wrong into errors. */
export class Caller {
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** The JSON of an answer; undefined of one without a body. @throws PlumeError */
  async json<Body>(call: Call): Promise<Body> {
    const text = await this.send(call, bodyText);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  }

  /**
   * Sends the call and reads its answer; a failure of either is repeated as one.
   * @throws PlumeError, or what the call's signal aborts with
   */
  send<Result>(call: Call, read: (answer: HttpAnswer) => Promise<Result>): Promise<Result> {
    const { retry } = this.#options;
    return withRetries(() => this.#try(call, read), call.once ? { ...retry, tries: 1 } : retry, call.signal);
  }

  async #try<Result>(call: Call, read: (answer: HttpAnswer) => Promise<Result>): Promise<Result> {
    call.signal?.throwIfAborted();
    const { transport, uploadTransport } = this.#options;
    const watch = new SilenceWatch(this.#options.silenceMs, call.signal);
    try {
      const send = call.onUpload ? uploadTransport : transport;
      const answer = await send(this.#request(call, watch));
      const watched: HttpAnswer = { ...answer, pieces: () => watch.over(answer.pieces()) };
      if (answer.status >= 400) throw apiError(answer.status, answer.header, await bodyText(watched));
      return await read(watched);
    } catch (error) {
      if (error instanceof SyntaxError)
        throw new ConnectionError('The answer was cut or is no JSON.', { cause: error });
      throw error;
    } finally {
      watch.stop();
    }
  }

  #request(call: Call, watch: SilenceWatch): HttpRequest {
    const { baseUrl, apiKey } = this.#options;
    const body = call.form ?? (call.json === undefined ? undefined : JSON.stringify(call.json));
    const { onUpload } = call;
    return {
      method: call.method,
      url: baseUrl + call.path + queryText(call.query),
      headers: {
        ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
        ...(call.json !== undefined && { 'Content-Type': 'application/json' }),
        ...call.headers,
      },
      ...(body !== undefined && { body }),
      signal: watch.signal,
      ...(onUpload && {
        onUpload: (sent: number) => {
          watch.heard();
          onUpload(sent);
        },
      }),
    };
  }
}

function queryText(query: Call['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Ends a request in which nothing happens any more. */
class SilenceWatch {
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly signal: AbortSignal;

  constructor(milliseconds: number, outer: AbortSignal | undefined) {
    this.#milliseconds = milliseconds;
    this.signal = outer ? AbortSignal.any([outer, this.#controller.signal]) : this.#controller.signal;
    this.heard();
  }

  heard(): void {
    clearTimeout(this.#timer);
    const silent = () => this.#controller.abort(new TimeoutError('The service did not answer in time.'));
    this.#timer = setTimeout(silent, this.#milliseconds);
  }

  async *over(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      this.heard();
      yield piece;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
