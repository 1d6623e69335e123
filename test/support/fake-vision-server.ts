import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { completion, type Reply, type Script, seenCall } from './model-replies.ts';

/**
 * A server with a scripted model behind it, over real HTTP. It speaks OpenAI's chat completions, and what the runtime's own binding
 * of Workers AI speaks with Cloudflare: `POST /run` with inputs and options, errors with an internal code.
 */
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
    const binding = request.url === '/run?version=3' || request.url === '/ai-gateway/run?version=3';
    if (request.method !== 'POST' || !(binding || request.url === '/v1/chat/completions')) throw new Error(request.url);
    if (request.headers['content-type'] !== 'application/json') throw new Error('not JSON');
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = JSON.parse(Buffer.concat(pieces).toString());
    if (binding) {
      const reply = this.script.next(seenCall(request.headers['cf-consn-model-id'], body.inputs));
      perform(reply ?? unknownForm, response, bindingError);
    } else {
      perform(this.script.next(seenCall(body.model, body)) ?? unknownForm, response, openAiError);
    }
  }
}

const unknownForm = { kind: 'unknown form' } as const;
type Failure = 'overloaded' | 'fails' | 'unknown form';

const openAiErrors = { overloaded: 429, fails: 500, 'unknown form': 400 } as const;
const openAiError = (failure: Failure) => [openAiErrors[failure], { error: { message: failure } }] as const;

const bindingErrors = {
  overloaded: [429, 3040, 'Capacity temporarily exceeded, please try again.'],
  fails: [400, 5007, 'No such model or task'],
  'unknown form': [400, 5025, "This model doesn't support JSON Schema."],
} as const;
const bindingError = (failure: Failure) => {
  const [status, internalCode, description] = bindingErrors[failure];
  return [status, { internalCode, name: 'AiError', description }] as const;
};

function perform(
  reply: Reply | typeof unknownForm,
  response: ServerResponse,
  error: (failure: Failure) => readonly [status: number, body: unknown],
): void {
  if (reply.kind === 'says') send(response, 200, completion({ content: reply.text }));
  else if (reply.kind === 'refuses') send(response, 200, completion({ content: null, refusal: 'I cannot.' }));
  else if (reply.kind === 'garbage') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  // What hangs gets no answer.
  else if (reply.kind !== 'hangs') send(response, ...error(reply.kind));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
