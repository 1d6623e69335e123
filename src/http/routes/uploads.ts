import { type Context, Hono } from 'hono';
import type { Staging } from '../../batch/staging.ts';
import { placeText } from '../../batch/uploaded-files.ts';
import type { AccountLedger } from '../../credits/ledger.ts';
import { uploadKey } from '../../delivery/upload-key.ts';
import { RequestError } from '../../errors.ts';
import { MIB } from '../../limits.ts';
import { callPlatform } from '../../platform/call-platform.ts';
import type { HttpEnv } from '../http-env.ts';
import { wireTime } from '../present-batch.ts';
import type { RequestSlot, RequestSlots } from '../request-slots.ts';
import { mostBytes, readUploadBody, type UploadedFile } from '../upload-body.ts';

export interface UploadsServices {
  readonly staging: Staging;
  /** Each time anew, because a stub through which a call failed is of no more use. */
  ledger(accountId: string): Pick<AccountLedger, 'holdUpload' | 'keepUpload' | 'dropUpload'>;
  /** Those of POST /api/compress: both are uploads of the account. */
  readonly slots: RequestSlots;
  /** Bytes of a request; undefined: no limit. */
  readonly maxBytes: number | undefined;
  newId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** POST /api/uploads: takes one file, which batches may name for an hour. */
export function uploadsRoutes(services: UploadsServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post('/', (c) => {
    const slot = services.slots.enter(c.get('caller'));
    const answer = upload(c, services, slot).finally(() => slot.leave());
    // A client that goes away must not stop the clean-up after its request.
    c.executionCtx.waitUntil(answer.catch(() => undefined));
    return answer;
  });
  return app;
}

async function upload(c: Context<HttpEnv>, services: UploadsServices, slot: RequestSlot): Promise<Response> {
  const { accountId } = c.get('caller');
  const { staging, maxBytes } = services;
  const id = services.newId();
  await hold(c, services, id);
  let file: UploadedFile | undefined;
  try {
    file = await slot.upload(() =>
      readUploadBody(c.req.raw, { staging, key: uploadKey(id, services.now()), maxBytes }),
    );
    return await keep(c, services, id, file);
  } catch (error) {
    const drop = async () => await services.ledger(accountId).dropUpload(id);
    // What fails here expires, or is swept.
    const cleaned = [callPlatform('ledger drop upload', drop), ...(file ? [staging.remove([file.staged])] : [])];
    c.executionCtx.waitUntil(Promise.allSettled(cleaned));
    throw error;
  }
}

async function hold(c: Context<HttpEnv>, { ledger }: UploadsServices, id: string): Promise<void> {
  const { accountId, plan } = c.get('caller');
  const call = async () => await ledger(accountId).holdUpload(id, plan, mostBytes(c.req.raw));
  const held = await callPlatform('ledger hold upload', call);
  if (held.kind === 'held') return;
  const { bytes, limit, retryAfterSeconds } = held;
  const taken = `${Math.ceil(bytes / MIB)} MB of the ${limit / MIB} MB of uploads that the ${plan} plan keeps at once are taken`;
  const message = `${taken}. Each is kept for an hour; the first makes room in ${retryAfterSeconds} s.`;
  throw new RequestError('rate_limited', message, { retryAfterSeconds });
}

async function keep(
  c: Context<HttpEnv>,
  { ledger }: UploadsServices,
  id: string,
  { name, staged }: UploadedFile,
): Promise<Response> {
  const { accountId, plan } = c.get('caller');
  const { size } = staged;
  const call = async () => await ledger(accountId).keepUpload({ id, name, size, place: placeText(staged) }, plan);
  const { expiresAt, usage } = await callPlatform('ledger keep upload', call);
  c.set('usage', usage);
  return c.json({ uploadId: id, size, expiresAt: wireTime(expiresAt) }, 201);
}
