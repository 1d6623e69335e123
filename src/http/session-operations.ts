import type { Operation } from './operation.ts';
import { newSessionBody, sessionBody } from './session-contract.ts';

const tag = 'Sessions';
const cookie = {
  'Set-Cookie':
    'The cookie `__Host-plume_session`, which no script can read; with Max-Age 0 it takes the session away.',
};

/** Sign-in of browsers. */
export const sessionOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/session',
    operationId: 'openSession',
    tag,
    summary: 'Sign in',
    description:
      'Exchanges a key, the operator’s token or an invite for a session: a cookie that only pages of this service may use. A session that the browser had ends. An owner’s session ends after 12 hours without a request and after 30 days at the latest, an operator’s after 30 minutes and 8 hours; and with its key, with sign-out, and when the account is suspended. Attempts are limited, and every failure has the same answer.',
    access: 'page',
    request: newSessionBody,
    success: { 201: { description: 'Signed in: the session is in the cookie.', body: sessionBody } },
    headers: cookie,
    errors: [
      'unauthorized',
      'invalid_request',
      'payload_too_large',
      'unsupported_media_type',
      'rate_limited',
      'service_busy',
    ],
  },
  {
    method: 'get',
    path: '/session',
    operationId: 'showSession',
    tag,
    summary: 'Show who is signed in',
    description: 'Tells whose session the cookie is, and when it ends. Answers 401 where nobody is signed in.',
    access: 'session',
    success: { 200: { description: 'Who is signed in.', body: sessionBody } },
    errors: [],
  },
  {
    method: 'delete',
    path: '/session',
    operationId: 'closeSession',
    tag,
    summary: 'Sign out',
    description: 'Ends the session of the cookie, everywhere and at once.',
    access: 'session',
    success: { 204: { description: 'Signed out.' } },
    headers: cookie,
    errors: [],
  },
  {
    method: 'delete',
    path: '/session/all',
    operationId: 'closeAllSessions',
    tag,
    summary: 'Sign out everywhere',
    description: 'Ends every session of the account, or of the operator’s token, this one included.',
    access: 'session',
    success: { 204: { description: 'Signed out on every browser.' } },
    headers: cookie,
    errors: [],
  },
];
