import { expect } from 'vitest';
import type { RequestErrorCode } from '../../../src/errors.ts';
import type { ErrorBody } from '../../../src/http/contract.ts';
import { errorAnswers } from '../../../src/http/error-answers.ts';
import { operations } from '../../../src/http/operations.ts';
import { adminToken } from '../../conformance/support/server.ts';
import { Settler } from './settled-example.ts';

/** Who sends a request: a key, the operator, a signed-in browser, nobody. */
export type Sender = { readonly key: string } | 'admin' | 'browser' | 'nobody';

export interface Sent {
  readonly as?: Sender;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the document shows as the request, where it is not the JSON body. */
  readonly shown?: unknown;
}

interface Recorded {
  request?: unknown;
  readonly answers: Record<string, unknown>;
}

/** Sends requests to a running service and keeps what it answered. */
export class ExampleRecorder {
  readonly url: string;
  readonly #operations: Record<string, Recorded> = {};
  readonly #errors: Partial<Record<RequestErrorCode, ErrorBody>> = {};
  readonly #settler: Settler;
  #cookie = '';

  constructor(url: string) {
    this.url = url;
    this.#settler = new Settler(url, Date.now());
  }

  /** All that was recorded, in the order of the document. */
  get examples() {
    const recorded = operations.flatMap(({ operationId }) => {
      const entry = this.#operations[operationId];
      return entry === undefined ? [] : [[operationId, entry] as const];
    });
    const errors = Object.keys(errorAnswers).filter((code) => code in this.#errors);
    return {
      operations: this.#settler.settle(Object.fromEntries(recorded)),
      errors: this.#settler.settle(
        Object.fromEntries(errors.map((code) => [code, this.#errors[code as RequestErrorCode]])),
      ),
    };
  }

  /** Sends a request and keeps it and its answer as the example of an operation. @returns the answer's body */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  async record(operationId: string, status: number, path: string, sent: Sent = {}): Promise<any> {
    const operation = operations.find((other) => other.operationId === operationId)!;
    const response = await this.send(operation.method, path, sent);
    const text = await response.text();
    expect(response.status, `${operationId}: ${text}`).toBe(status);
    const recorded = this.#operations[operationId] ?? { answers: {} };
    this.#operations[operationId] = recorded;
    const request = sent.shown ?? sent.json;
    if (request !== undefined) recorded.request ??= request;
    if (text === '') return undefined;
    const streams = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
    const body = streams ? eventsIn(text) : JSON.parse(text);
    recorded.answers[streams ? 'events' : String(status)] = body;
    return body;
  }

  /** Keeps the answer to a request that is refused as the example of its error. */
  async refuse(code: RequestErrorCode, method: string, path: string, sent: Sent = {}): Promise<void> {
    await this.keep(code, await this.send(method, path, sent));
  }

  /** Keeps the answer, which must be that of the error. */
  async keep(code: RequestErrorCode, response: Response): Promise<void> {
    const body = (await response.json()) as ErrorBody;
    const { status, text = code } = errorAnswers[code];
    const [before = ''] = text.split('<name>');
    expect([response.status, body.error.startsWith(before)], `${code}: ${JSON.stringify(body)}`).toEqual([
      status,
      true,
    ]);
    this.#errors[code] = body;
  }

  async send(method: string, path: string, { as = 'nobody', json, form, headers = {} }: Sent = {}): Promise<Response> {
    const body = json === undefined ? form : JSON.stringify(json);
    const response = await fetch(this.url + path, {
      method: method.toUpperCase(),
      headers: {
        ...this.#credentials(as),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
    });
    const [, cookie] = /^__Host-plume_session=([^;]*)/.exec(response.headers.get('Set-Cookie') ?? '') ?? [];
    if (as === 'browser' && cookie !== undefined) this.#cookie = cookie;
    return response;
  }

  #credentials(as: Sender): Record<string, string> {
    if (as === 'nobody') return {};
    if (as === 'admin') return { Authorization: `Bearer ${adminToken}` };
    if (as !== 'browser') return { Authorization: `Bearer ${as.key}` };
    return { Origin: this.url, ...(this.#cookie !== '' && { Cookie: `__Host-plume_session=${this.#cookie}` }) };
  }
}

function eventsIn(text: string): unknown[] {
  return [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event, data]) => ({
    event,
    data: JSON.parse(data!),
  }));
}
