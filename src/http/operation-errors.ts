import type { RequestErrorCode } from '../errors.ts';
import type { Operation } from './operation.ts';

/** Of every call with a key. */
export const accessErrors = [
  'unauthorized',
  'account_suspended',
  'api_not_available',
  'rate_limited',
  'service_busy',
] as const;

/** Every error that the operation may answer with: its own, those of its kind of access, and a defect of ours. */
export function errorsOf(operation: Operation): readonly RequestErrorCode[] {
  const { access, method, errors } = operation;
  const safe = method === 'get';
  return [
    ...new Set([
      ...errors,
      ...errorsOfAccess[access],
      ...(safe ? [] : (['https_required'] as const)),
      // Of a key and a cookie in one request, and of a cookie from a page that is not ours.
      ...(access === 'open' || access === 'page' ? [] : (['invalid_request'] as const)),
      ...(access === 'open' || safe ? [] : (['cross_origin'] as const)),
      ...(['method_not_allowed', 'internal_error'] as const),
    ]),
  ];
}

const errorsOfAccess: Readonly<Record<Operation['access'], readonly RequestErrorCode[]>> = {
  key: accessErrors,
  owner: [...accessErrors, 'session_required'],
  session: ['unauthorized', 'rate_limited', 'service_busy'],
  page: [],
  admin: ['unauthorized', 'not_found', 'rate_limited', 'service_busy'],
  open: [],
};
