import { expect, test } from 'vitest';
import { laneFailure } from '../../src/batch/lane-failure.ts';
import { LeaseLostError } from '../../src/image/job-workspace.ts';

/** What the platform says, as its documentation ("Troubleshooting", "Error handling") and the runtime have it. */
test.each([
  ['Durable Object reset because its code was updated.', { durableObjectReset: true, retryable: true }, 'passing'],
  ['Network connection lost.', { retryable: true }, 'passing'],
  ['internal error; reference = 9abc', { retryable: true }, 'passing'],
  ['Internal error while starting up Durable Object storage caused object to be reset.', {}, 'passing'],
  ['Cannot resolve Durable Object due to transient issue on remote node.', { retryable: true }, 'passing'],
  [
    'Durable Object storage operation exceeded timeout which caused object to be reset.',
    { durableObjectReset: true },
    'passing',
  ],
  ['get: We encountered an internal error. Please try again. (10001)', { remote: true }, 'passing'],
  ['Durable Object is overloaded. Too many requests queued.', { overloaded: true }, 'overloaded'],
  ['Durable Object is overloaded. Requests queued for too long.', {}, 'overloaded'],
  [
    'Your account is generating too much load on Durable Objects. Please back off and try again later.',
    {},
    'overloaded',
  ],
  ['Durable Object exceeded its CPU time limit and was reset.', { durableObjectReset: true }, 'deadly'],
  ["Durable Object's isolate exceeded its memory limit and was reset.", { durableObjectReset: true }, 'deadly'],
  ['The call was canceled and the Durable Object was reset.', {}, 'deadly'],
  ['Application called abort() to reset Durable Object.', { durableObjectReset: true }, 'deadly'],
  ['no answer in 600000 ms', {}, 'deadly'],
  ['something else', { durableObjectReset: true }, 'deadly'],
  ['something else', { retryable: true }, 'passing'],
  ['memory access out of bounds', { remote: true }, 'defect'],
] as const)('%s %j is %s', (message, marks, failure) => {
  expect(laneFailure(Object.assign(new Error(message), marks))).toBe(failure);
});

test('a job that lost its arena says nothing of its file: it is tried again', () => {
  expect(laneFailure(new LeaseLostError())).toBe('defect');
});

test.each([undefined, null, 'text', 7])('%j, thrown, is a defect', (thrown) => {
  expect(laneFailure(thrown)).toBe('defect');
});
