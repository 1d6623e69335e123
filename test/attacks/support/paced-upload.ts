import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A piece of a request's body, and how long to wait before it is sent. */
export interface Piece {
  readonly afterMs: number;
  readonly bytes: Uint8Array;
}

export interface PacedAnswer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  /** Milliseconds from the connection to the answer. */
  readonly after: number;
}

export const BOUNDARY = 'paced-upload-boundary';

/** What stands before the content of a part named `name`. */
export function partHead(name: string, fileName?: string): Buffer {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`;
  return Buffer.from(`\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`);
}

export const formEnd = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

/** POST /api/compress on a connection of its own, at a pace of its own: what `fetch` does not let one do. */
export async function pacedUpload(
  port: number,
  key: string,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  length: number,
): Promise<PacedAnswer> {
  const started = performance.now();
  const socket = connect(port, 'localhost');
  const answer = answerOn(socket);
  const head = [
    'POST /api/compress HTTP/1.1',
    `Host: localhost:${port}`,
    `Authorization: Bearer ${key}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${length}`,
    'Connection: close',
  ];
  let over = false;
  const end = answer.then((text) => {
    over = true;
    return text;
  });
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  void send(socket, pieces, () => over);
  const [headers = '', ...rest] = (await end).split('\r\n\r\n');
  socket.destroy();
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1] ?? 0);
  return { status, headers, body: rest.join('\r\n\r\n'), after: performance.now() - started };
}

async function send(socket: Socket, pieces: Iterable<Piece> | AsyncIterable<Piece>, over: () => boolean) {
  for await (const { afterMs, bytes } of pieces) {
    if (afterMs > 0) await delay(afterMs, undefined, { ref: false });
    if (over() || socket.destroyed) return;
    if (!socket.write(bytes)) await new Promise<void>((done) => socket.once('drain', done).once('close', done));
  }
}

/** All that came until the connection ended, or until a whole answer was there. */
function answerOn(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const look = () => {
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      const body = text.indexOf('\r\n\r\n') + 4;
      if (body >= 4 && Buffer.byteLength(text.slice(body)) >= length) resolve(text);
    };
    socket.setEncoding('utf8').on('data', (more) => {
      text += more;
      look();
    });
    socket.on('error', () => resolve(text)).on('close', () => resolve(text));
  });
}
