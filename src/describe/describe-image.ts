import type { Description, DescriptionFailure, DescriptionRequest } from './description.ts';
import { parseAnswer } from './parse-answer.ts';
import { prompt } from './prompt.ts';
import { type Picture, type Provider, ProviderError } from './providers/provider.ts';
import { type Results, usableAnswer } from './usable-answer.ts';

/** Sets a timer and returns what clears it. An argument, so that tests need not wait. */
export type SetTimer = (run: () => void, milliseconds: number) => () => void;

export const platformTimer: SetTimer = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

export interface DescribeOptions {
  readonly provider: Provider;
  /** Milliseconds for all tries together. */
  readonly timeoutMs: number;
  readonly setTimer?: SetTimer;
  /** Ends it when nobody needs the description any more. */
  readonly abandoned?: AbortSignal;
}

/** Calls for one picture: an answer that is not what was asked is asked for once more. */
const TRIES = 2;

/**
 * Describes one picture. Fails softly: whatever the provider does, the promise resolves, in bounded time, with results that
 * follow the rules, or with a failure and none.
 */
export async function describeImage(
  request: DescriptionRequest,
  picture: Picture,
  options: DescribeOptions,
): Promise<Description> {
  const { timeoutMs, setTimer = platformTimer, abandoned } = options;
  const limit = new AbortController();
  const clear = setTimer(() => limit.abort(), timeoutMs);
  const signal = abandoned === undefined ? limit.signal : AbortSignal.any([limit.signal, abandoned]);
  const progress = { calls: 0, results: {} as Results };
  try {
    await untilAborted(signal, tries(request, picture, options.provider, signal, progress));
    return summary(progress, 'unusable');
  } catch (error) {
    const { reason, code } = failureOf(error, limit.signal.aborted);
    return summary(progress, reason, code);
  } finally {
    clear();
    // Ends what a provider may still be doing.
    limit.abort();
  }
}

/** What is known so far, so that a failing second try does not cost what the first one brought. */
interface Progress {
  calls: number;
  results: Results;
}

async function tries(
  request: DescriptionRequest,
  picture: Picture,
  provider: Provider,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  const instructions = provider.kind === 'model' ? prompt(request).instructions : undefined;
  while (progress.calls < TRIES && !isComplete(progress.results, request)) {
    progress.calls++;
    const answer = await provider.answer(request, picture, signal);
    if (signal.aborted) return;
    progress.results = { ...usableAnswer(parseAnswer(answer), request, instructions), ...progress.results };
  }
}

function isComplete(results: Results, request: DescriptionRequest): boolean {
  return (!request.altText || results.altText !== undefined) && (!request.seoName || results.seoName !== undefined);
}

/** Settles when the work does or the signal fires, whichever is first: a provider need not heed the signal. */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new ProviderError('timeout'));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

function failureOf(error: unknown, timedOut: boolean): { reason: DescriptionFailure; code?: string } {
  if (timedOut) return { reason: 'timeout' };
  if (!(error instanceof ProviderError)) return { reason: 'unavailable' };
  return error.code === undefined ? { reason: error.reason } : { reason: error.reason, code: error.code };
}

function summary({ calls, results }: Progress, failure: DescriptionFailure, code?: string): Description {
  if (results.altText !== undefined || results.seoName !== undefined) return { ...results, calls };
  return { calls, failure, ...(code !== undefined && { code }) };
}
