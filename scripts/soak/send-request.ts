import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface SentRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Bytes a second; absent: as fast as it goes. */
  readonly bytesPerSecond?: number;
  /** Milliseconds after which the client hangs up. */
  readonly leaveAfterMs?: number;
  /** Milliseconds for which an answer is waited for once all is sent. */
  readonly patienceMs: number;
}

/** What a client sees of its request. `lost`: the connection broke; `left`: it hung up itself. */
export type Reply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
      /** From the last byte sent to the last received. */
      readonly ms: number;
    }
  | { readonly kind: 'hang' | 'lost' | 'left' };

/** Sends one request on a connection of its own. Never rejects. */
export function sendRequest(p: SentRequest): Promise<Reply> {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const { body = new Uint8Array(0), method } = p;
  const length = method === 'GET' ? {} : { 'content-length': String(body.length) };
  const request = httpRequest(p.url, { method, agent: false, headers: { ...p.headers, ...length } });
  const timers: NodeJS.Timeout[] = [];
  const end = (reply: Reply) => {
    for (const timer of timers) clearTimeout(timer);
    resolve(reply);
    request.destroy();
  };
  const after = (ms: number, reply: Reply) => void timers.push(setTimeout(() => end(reply), ms));
  if (p.leaveAfterMs !== undefined) after(p.leaveAfterMs, { kind: 'left' });
  let sentAt = performance.now();
  request.on('error', () => end({ kind: 'lost' }));
  request.on('response', (response) => {
    collect(response).then(
      (received) => {
        const { statusCode: status = 0, headers } = response;
        end({ kind: 'answer', status, headers, body: received, ms: performance.now() - sentAt });
      },
      () => end({ kind: 'lost' }),
    );
  });
  sendBody(request, body, p.bytesPerSecond).then(() => {
    sentAt = performance.now();
    after(p.patienceMs, { kind: 'hang' });
  });
  return promise;
}

async function collect(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  if (!response.complete) throw new Error('the answer is shorter than it said');
  return Buffer.concat(pieces);
}

/** Ten pieces a second where it is slow. */
async function sendBody(request: ReturnType<typeof httpRequest>, body: Uint8Array, rate?: number): Promise<void> {
  const piece = rate === undefined ? body.length : Math.max(1, Math.ceil(rate / 10));
  for (let at = 0; rate !== undefined && at + piece < body.length && !request.destroyed; at += piece) {
    request.write(body.subarray(at, at + piece));
    await delay((1000 * piece) / rate);
  }
  const rest = rate === undefined ? 0 : body.length - ((body.length - 1) % piece) - 1;
  if (request.destroyed) return;
  await new Promise<void>((resolve) => {
    request.on('close', () => resolve());
    request.end(body.subarray(rest), () => resolve());
  });
}
