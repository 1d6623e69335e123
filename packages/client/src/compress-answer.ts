import type { FileFailure, ResultItem, Usage } from './answers.ts';
import { apiError, ConnectionError } from './errors.ts';
import { serverEvents } from './server-events.ts';
import { bodyText, type HttpAnswer } from './transport.ts';

/** What becomes of one file, as it becomes known. The same may be told again after a connection broke. */
export type FileEvent =
  | { readonly index: number; readonly state: 'queued' | 'running' }
  | { readonly index: number; readonly state: 'done'; readonly item: ResultItem }
  | { readonly index: number; readonly state: 'failed'; readonly failure: FileFailure };

export interface CompressOutcome {
  readonly results: readonly { readonly index: number; readonly item: ResultItem }[];
  readonly failures: readonly FileFailure[];
  /** What is left after it; absent where the answer does not tell. */
  readonly usage: Usage | undefined;
  readonly requestId: string | undefined;
}

/**
 * Reads the answer to POST /api/compress: events as they come, or one JSON body.
 * @throws ConnectionError when it ends before it is whole
 */
export async function readCompressAnswer(
  answer: HttpAnswer,
  tell: (event: FileEvent) => void,
): Promise<CompressOutcome> {
  const requestId = answer.header('x-request-id') ?? undefined;
  const type = answer.header('content-type') ?? '';
  if (!type.includes('text/event-stream')) return { ...readBody(answer, await bodyText(answer), tell), requestId };
  return { ...(await readEvents(answer, tell)), requestId };
}

async function readEvents(answer: HttpAnswer, tell: (event: FileEvent) => void): Promise<Outcome> {
  const results = new Map<number, ResultItem>();
  const failures = new Map<number, FileFailure>();
  let usage: Usage | undefined;
  for await (const { event, data } of serverEvents(answer.pieces())) {
    const body = JSON.parse(data);
    if (event === 'file') tell(body);
    if (event === 'result') {
      results.set(body.index, body.item);
      tell({ index: body.index, state: 'done', item: body.item });
    }
    if (event === 'failure') {
      failures.set(body.index, body);
      tell({ index: body.index, state: 'failed', failure: body });
    }
    if (event === 'error') throw apiError(503, answer.header, data);
    if (event === 'usage') usage = body;
    if (event === 'done') {
      return {
        results: [...results].map(([index, item]) => ({ index, item })),
        failures: [...failures.values()],
        usage,
      };
    }
  }
  throw new ConnectionError('The connection ended before the batch was done.');
}

type Outcome = Omit<CompressOutcome, 'requestId'>;

/** Items have no index there: the failed ones are those that are missing, in the order sent. */
function readBody(answer: HttpAnswer, text: string, tell: (event: FileEvent) => void): Outcome {
  const { data } = JSON.parse(text) as { data: ResultItem[] };
  const failures: FileFailure[] = JSON.parse(decodeURIComponent(answer.header('x-failed-files') ?? '[]'));
  const failed = new Set(failures.map(({ index }) => index));
  const places = Array.from({ length: data.length + failures.length }, (_, index) => index);
  const results = places.filter((index) => !failed.has(index)).map((index, at) => ({ index, item: data[at]! }));
  for (const { index, item } of results) tell({ index, state: 'done', item });
  for (const failure of failures) tell({ index: failure.index, state: 'failed', failure });
  return { results, failures, usage: undefined };
}
