import type { RequestErrorCode } from '../errors.ts';
import type { ErrorBody } from './contract.ts';
import recorded from './openapi-examples.json' with { type: 'json' };

/** Requests and answers that a test recorded from a running service (`test/http/openapi-examples.node.test.ts`). */
export interface RecordedExamples {
  /** By operationId: the request's body, and the answers by status; `events` for a stream. */
  readonly operations: Readonly<Record<string, { request?: unknown; answers: Readonly<Record<string, unknown>> }>>;
  readonly errors: Readonly<Partial<Record<RequestErrorCode, ErrorBody>>>;
}

const { operations, errors }: RecordedExamples = recorded as RecordedExamples;

export const errorExamples: RecordedExamples['errors'] = errors;

export function requestExample(operationId: string): unknown {
  return operations[operationId]?.request;
}

/** @param status of the answer, or `events` */
export function answerExample(operationId: string, status: string): unknown {
  return operations[operationId]?.answers[status];
}
