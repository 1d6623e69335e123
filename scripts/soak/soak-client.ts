import { setTimeout as delay } from 'node:timers/promises';
import type { ResultItem } from '../../test/conformance/support/client.ts';
import type { Random } from '../fuzz/random.ts';
import type { AccountBook } from './account-book.ts';
import { checkAnswer } from './check-answer.ts';
import { checkDownload } from './check-download.ts';
import { type CompressRequest, requestBody, requestHeaders, type SoakFile } from './compress-request.ts';
import { type Reply, type SentRequest, sendRequest } from './send-request.ts';
import type { Verdict } from './verdict.ts';

/** How a request is sent, where that is not plainly. */
export type Pace = Pick<SentRequest, 'bytesPerSecond' | 'leaveAfterMs'> & { readonly prefer?: string };

/** Refusals that no repetition changes. A 429 or 409 tells nothing of an earlier try under the same key, so the request stays open. */
const REFUSED_FOR_GOOD = [400, 401, 403, 413, 415, 422];

/** One customer's program: sends requests, checks what comes back and books it. */
export class SoakClient {
  readonly url: string;
  readonly book: AccountBook;
  readonly verdict: Verdict;
  readonly random: Random;
  readonly patienceMs: number;

  constructor(p: { url: string; book: AccountBook; verdict: Verdict; random: Random; patienceMs: number }) {
    this.url = p.url;
    this.book = p.book;
    this.verdict = p.verdict;
    this.random = p.random;
    this.patienceMs = p.patienceMs;
  }

  /**
   * Sends a request and books its outcome.
   * @param expected statuses beside 200, 202, 429 and 503 that are right for it
   */
  async compress(
    name: string,
    request: CompressRequest,
    expected: readonly number[] = [],
    { prefer, ...pace }: Pace = {},
  ) {
    this.book.begin(request);
    const reply = await sendRequest({
      method: 'POST',
      url: `${this.url}/api/compress`,
      headers: { ...requestHeaders(request, this.book.account.key), ...(prefer && { prefer }) },
      body: requestBody(request),
      patienceMs: this.patienceMs,
      ...pace,
    });
    this.verdict.reply(name, reply);
    const items = reply.kind === 'answer' ? this.#book(name, request, reply, expected) : [];
    this.book.end(request);
    for (const item of items) await checkDownload(item, request, this);
    return reply;
  }

  /** Sends a file by itself; one that was not taken goes with its batch. */
  async upload(file: SoakFile): Promise<SoakFile> {
    const headers = { authorization: `Bearer ${this.book.account.key}` };
    const reply = await this.call('upload', `/api/uploads?name=${encodeURIComponent(file.name)}`, headers, file.bytes);
    if (reply.kind !== 'answer' || [429, 503].includes(reply.status)) return file;
    if (reply.status === 201) return { ...file, uploadId: JSON.parse(reply.body.toString()).uploadId };
    this.verdict.violation('upload refused', `${reply.status} ${reply.body.toString().slice(0, 160)}`);
    return file;
  }

  /** Any other call. */
  async call(name: string, path: string, headers: Record<string, string>, body?: Uint8Array): Promise<Reply> {
    const method = body === undefined ? 'GET' : 'POST';
    const more = body === undefined ? {} : { body };
    const reply = await sendRequest({
      method,
      url: this.url + path,
      headers,
      patienceMs: this.patienceMs,
      ...more,
    });
    this.verdict.reply(name, reply);
    return reply;
  }

  /** Asks for requests again whose answer was lost, as a program does that wants its images; a few, or all. */
  async askAgain(most: number, untilMs = 0): Promise<void> {
    const deadline = performance.now() + untilMs;
    for (const request of this.book.lost.slice(0, most)) {
      for (;;) {
        const reply = await this.compress('asked again', request, [400, 403, 409]);
        if (!this.book.isOpen(request) || performance.now() > deadline) break;
        if (reply.kind === 'hang') break;
        await delay(1000);
      }
    }
  }

  #book(
    name: string,
    request: CompressRequest,
    reply: Reply & { kind: 'answer' },
    expected: readonly number[],
  ): readonly ResultItem[] {
    const { status } = reply;
    if (status === 200) return this.#take(name, request, reply);
    if (REFUSED_FOR_GOOD.includes(status)) this.book.refused(request);
    if (status < 500 && ![202, 429, ...expected].includes(status)) {
      this.verdict.violation('wrongly refused', `${name}: ${status} ${reply.body.toString().slice(0, 160)}`);
    }
    return [];
  }

  #take(name: string, request: CompressRequest, reply: Reply & { kind: 'answer' }): readonly ResultItem[] {
    const answer = checkAnswer(name, request, reply, this.verdict);
    if (answer === undefined) return [];
    if (this.book.answered(request, answer)) {
      this.verdict.violation('two answers', `${name}: another answer under the same Idempotency-Key`);
    }
    return answer.items;
  }
}
