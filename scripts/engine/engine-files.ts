import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves the files of the running jobs by ranges, outside of the process that is measured. */
export class EngineFiles {
  readonly #server: Server;
  readonly #files = new Map<string, Uint8Array>();

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.unref();
  }

  /** Starts on a free port. */
  static async serve(): Promise<EngineFiles> {
    const files = new EngineFiles();
    await new Promise<void>((resolve, reject) => {
      files.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return files;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** What a job reads. */
  offer(job: string, picture: Uint8Array, mark: Uint8Array | undefined): void {
    this.#files.set(`/${job}/picture`, picture);
    if (mark) this.#files.set(`/${job}/mark`, mark);
  }

  /** The job has ended. */
  withdraw(job: string): void {
    this.#files.delete(`/${job}/picture`);
    this.#files.delete(`/${job}/mark`);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const file = this.#files.get(url);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (file === undefined || first === undefined) response.writeHead(404).end();
    else response.writeHead(206).end(file.subarray(Number(first), Number(last) + 1));
  }
}
