import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { completion, type Reply, type Script, seenCall } from './model-replies.ts';

/** A server that speaks OpenAI's chat completions over real HTTP, with a scripted model behind it. */
export class FakeVisionServer {
  readonly script: Script;
  /** The `Authorization` headers received. */
  readonly authorizations: (string | undefined)[] = [];
  /** Faults of requests: what a real server would have refused. */
  readonly faults: string[] = [];
  readonly #server: Server;

  constructor(script: Script) {
    this.script = script;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        this.faults.push(String(error));
        response.writeHead(400).end();
      });
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** Up to and with `/v1`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.authorizations.push(request.headers.authorization);
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') throw new Error(`${request.url}`);
    if (request.headers['content-type'] !== 'application/json') throw new Error('not JSON');
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = JSON.parse(Buffer.concat(pieces).toString());
    const reply = this.script.next(seenCall(body.model, body));
    if (reply === undefined) send(response, 400, { error: { message: 'response_format is not supported' } });
    else perform(reply, response);
  }
}

function perform(reply: Reply, response: ServerResponse): void {
  if (reply.kind === 'says') send(response, 200, completion({ content: reply.text }));
  else if (reply.kind === 'refuses') send(response, 200, completion({ content: null, refusal: 'I cannot.' }));
  else if (reply.kind === 'overloaded') send(response, 429, { error: { message: 'Rate limit reached' } });
  else if (reply.kind === 'fails') send(response, 500, { error: { message: 'out of memory' } });
  else if (reply.kind === 'garbage') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  // What hangs gets no answer.
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
