import { exports } from 'cloudflare:workers';
import { expect } from 'vitest';
import { z } from 'zod';
import { errorBody } from '../../src/http/contract.ts';
import { errorAnswers } from '../../src/http/error-answers.ts';
import type { Operation } from '../../src/http/operation.ts';
import { errorsOf } from '../../src/http/operation-errors.ts';
import { operations } from '../../src/http/operations.ts';

/** A response whose body was read and found to be what the contract says. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, which the contract has checked
  readonly body: any;
}

/** The operator's token that vitest.config.ts sets. */
export const adminToken = 'test-admin-token-0123456789';

type Fetch = (request: Request) => Promise<Response>;

/**
 * Sends requests to the whole Worker, or to another app, and checks every answer against the contract. Each client has an address
 * of its own, so that what one was refused does not count against another.
 */
export function apiClient(fetch: Fetch = (request) => exports.default.fetch(request), address = randomAddress()) {
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = new Headers(init.headers);
    headers.set('CF-Connecting-IP', address);
    const response = await fetch(new Request(`https://plume.test${path}`, { ...init, headers, method }));
    return checked(method, path, response);
  };
  const sendJson = (method: string, path: string, token: string, body?: unknown) =>
    send(method, path, {
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const admin = (method: string, path: string, body?: unknown) => sendJson(method, `/admin${path}`, adminToken, body);
  return { send, sendJson, admin };
}

/** An IPv4 address of a private network (RFC 1918). */
export function randomAddress(): string {
  return `10.${crypto.getRandomValues(new Uint8Array(3)).join('.')}`;
}

/** An account with one key of each kind, made through the administration routes. */
export async function newAccount(plan: 'free' | 'starter' | 'agency') {
  const { admin } = apiClient();
  const { id } = (await admin('POST', '/accounts', { name: `a ${plan} account`, plan })).body;
  const issue = async (kind: 'api' | 'app') =>
    (await admin('POST', `/accounts/${id}/keys`, { label: kind, kind })).body;
  const [api, app] = [await issue('api'), await issue('app')];
  return { id: id as string, apiKey: api.key as string, appKey: app.key as string, apiKeyId: api.id as string };
}

async function checked(method: string, path: string, response: Response): Promise<Answer> {
  expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const text = new TextDecoder().decode(await response.arrayBuffer());
  const json = response.headers.get('Content-Type')?.startsWith('application/json') === true && text !== '';
  const body = json ? JSON.parse(text) : text;
  if (method === 'HEAD' || response.status === 204) expect(text).toBe('');
  if (method === 'HEAD' || method === 'OPTIONS') expectNoDefect(response);
  else if (response.status >= 400) checkError(operationFor(method, path), response, body);
  else if (response.headers.get('Content-Type') === 'text/event-stream') checkEvents(operationFor(method, path), text);
  else checkSuccess(operationFor(method, path), response, body);
  return { status: response.status, headers: response.headers, body };
}

/** HEAD and OPTIONS are answered everywhere and documented nowhere. */
function expectNoDefect(response: Response): void {
  expect([200, 204, 206, 304, 400, 401, 403, 404, 405, 410, 412, 416, 429]).toContain(response.status);
}

function operationFor(method: string, path: string): Operation | undefined {
  const pathname = path.split('?', 1)[0]!;
  return operations.find((operation) => {
    const pattern = new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return operation.method === method.toLowerCase() && pattern.test(pathname);
  });
}

function checkError(operation: Operation | undefined, response: Response, body: unknown): void {
  expect(z.strictObject(errorBody.shape).parse(body).message).not.toBe('');
  const { error } = body as { error: string };
  // No such operation: the address or the method is unknown, and only the shell around the routes answers.
  const codes = operation ? errorsOf(operation) : (['not_found', 'method_not_allowed', 'unauthorized'] as const);
  const matches = codes.filter((code) => {
    const wireText = errorAnswers[code].text ?? code;
    const [before, after] = wireText.split('<name>');
    const same = after === undefined ? error === wireText : error.startsWith(before!) && error.endsWith(after);
    return same && errorAnswers[code].status === response.status;
  });
  expect(matches, `${response.status} ${error} is no documented answer`).not.toEqual([]);
}

/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: as in Answer
  readonly data: any;
}

/** The events of a stream that has ended; comments are left out. */
export function eventsOf(text: string): ServerEvent[] {
  return [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event, data]) => ({
    event: event!,
    data: JSON.parse(data!),
  }));
}

/** Every event is documented, and its data is what the document says. */
function checkEvents(operation: Operation | undefined, text: string): void {
  const events = eventsOf(text);
  expect(events.length).toBeGreaterThan(0);
  for (const { event, data } of events) {
    expect(operation?.events?.[event], `event ${event} is not documented`).toBeDefined();
    expect(operation?.events?.[event]?.parse(data)).toEqual(data);
  }
}

function checkSuccess(operation: Operation | undefined, response: Response, body: unknown): void {
  expect(operation, 'only documented calls succeed').toBeDefined();
  const documented = operation!.success[response.status];
  expect(documented, `status ${response.status} is not documented`).toBeDefined();
  // Schemas of answers drop what they do not know, so a property that the contract lacks shows as a difference.
  if (documented!.body instanceof z.ZodType) expect(documented!.body.parse(body)).toEqual(body);
}
