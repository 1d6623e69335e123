import { randomUUID } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { REQUEST_NAME } from './cut-requests.ts';

/**
 * Stands between clients and the shell on this machine, because the simulator does not tell its Worker that a client has left: it
 * names each request, and tells the shell when the client is gone or has its answer.
 */
export class Front {
  readonly #upstream: URL;
  readonly #adminToken: string;
  readonly #server: Server;

  constructor(upstream: string, adminToken: string) {
    this.#upstream = new URL(upstream);
    this.#adminToken = adminToken;
    this.#server = createServer((request, response) => this.#pass(request, response));
    // A slow client is the service's business.
    this.#server.requestTimeout = 0;
  }

  /** @returns the address for clients */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #pass(client: IncomingMessage, answer: ServerResponse): void {
    const name = randomUUID();
    const { hostname, port } = this.#upstream;
    // Only what works for long is worth an object of its own.
    const named = client.method === 'POST';
    const headers = { ...client.headers, ...(named && { [REQUEST_NAME]: name }) };
    const onward = httpRequest({ hostname, port, method: client.method, path: client.url, headers });
    onward.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
      response.on('error', () => answer.destroy());
    });
    onward.on('error', () => answer.destroy());
    client.pipe(onward);
    // A body that is cut short is cut short for the service too; a client that has sent all leaves only the answer behind.
    client.on('aborted', () => !client.complete && onward.destroy());
    if (named) answer.on('close', () => void this.#tell(name));
  }

  async #tell(name: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.#adminToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ request: name });
    await fetch(new URL('/shell/left', this.#upstream), { method: 'POST', headers, body }).catch(() => {});
  }
}
