import { Buffer } from 'node:buffer';
import { RequestError } from '../src/errors.ts';
import { readMultipart } from '../src/http/multipart.ts';
import { uploadPace } from '../src/http/upload-pace.ts';
import { limits, MIB } from '../src/limits.ts';
import { platformClock } from '../src/platform/clock.ts';

/**
 * What a MiB of a form costs to read, by what the file in it is made of: CPU milliseconds, and how many times random bytes' cost.
 * `node scripts/multipart-cost.ts`
 */
const SIZE = 4 * MIB;
const RUNS = 6;
const boundaries = ['x', '----WebKitFormBoundary7MA4YWxkTrZu0gW', 'B'.repeat(70)];

const patterns: Readonly<Record<string, (boundary: string) => Buffer>> = {
  'random bytes': () => randomBytes(),
  'fake delimiters': (boundary) => repeated(`\r\n--${boundary}x`),
  'fake delimiters, a blank': (boundary) => repeated(`\r\n--${boundary} x`),
  'fake delimiters, 64 blanks': (boundary) => repeated(`\r\n--${boundary}${' '.repeat(64)}x`),
  'delimiters but for the last byte': (boundary) => repeated(`\r\n--${boundary.slice(0, -1)}!`),
  'halves of delimiters': (boundary) => repeated(`\r\n--${boundary.slice(0, boundary.length / 2)}`),
  'CR LF CR LF': () => repeated('\r\n\r\n'),
  CR: () => repeated('\r'),
  dashes: () => repeated('-'),
};

function repeated(text: string): Buffer {
  return Buffer.from(text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE), 'latin1');
}

/** The same at each run: a linear congruential generator. */
function randomBytes(): Buffer {
  let state = 1;
  return Buffer.alloc(SIZE).map(() => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  }) as Buffer;
}

function form(boundary: string, content: Buffer): Uint8Array {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`z\r\n--${boundary}--\r\n`)]);
}

/** A body that is read into the memory of whoever reads it, as the platform's are. */
function bodyOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  const source = {
    type: 'bytes',
    pull(controller: ReadableByteStreamController) {
      const request = controller.byobRequest;
      if (request?.view == null) throw new TypeError('the body is to be read with memory of one’s own');
      const view = new Uint8Array(request.view.buffer, request.view.byteOffset, request.view.byteLength);
      const piece = bytes.subarray(at, at + view.length);
      view.set(piece);
      at += piece.length;
      if (piece.length === 0) controller.close();
      request.respond(piece.length);
    },
  } as const;
  return new ReadableStream(source as unknown as UnderlyingByteSource) as ReadableStream<Uint8Array>;
}

async function measure(boundary: string, bytes: Uint8Array): Promise<{ readonly ms: number; readonly chunks: number }> {
  const headers = new Headers({ 'content-type': `multipart/form-data; boundary=${boundary}` });
  const rules = { parts: limits.parts, pace: uploadPace(() => false), clock: platformClock };
  let chunks = 0;
  const before = process.cpuUsage();
  try {
    for await (const part of readMultipart({ headers, body: bodyOf(bytes) }, rules)) {
      for await (const _ of part.body) chunks++;
    }
  } catch (error) {
    // Refused; what it costs to get there and to pass the rest over counts.
    if (!(error instanceof RequestError)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000 / (SIZE / MIB), chunks: chunks / (SIZE / MIB) };
}

for (const boundary of boundaries) {
  console.log(`a boundary of ${boundary.length} characters`);
  let plain: number | undefined;
  for (const [name, make] of Object.entries(patterns)) {
    const bytes = form(boundary, make(boundary));
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await measure(boundary, bytes));
    const ms = Math.min(...runs.map((run) => run.ms));
    plain ??= ms;
    const chunks = Math.round(runs[0]?.chunks ?? 0);
    console.log(`  ${name.padEnd(34)} ${ms.toFixed(2)} ms/MiB ${(ms / plain).toFixed(1)}×  ${chunks} chunks/MiB`);
  }
}
