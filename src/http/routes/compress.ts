import { type Context, Hono } from 'hono';
import type { Batch, BatchFile } from '../../batch/batch.ts';
import type { ImageRequest } from '../../batch/file-job.ts';
import { holdSmallFile } from '../../batch/hold-small-file.ts';
import { reportFiles } from '../../batch/report-files.ts';
import { BatchMayRunError, type SubmitServices, type SubmittedBatch, submitBatch } from '../../batch/submit-batch.ts';
import { uploadedFiles } from '../../batch/uploaded-files.ts';
import type { AccountLedger } from '../../credits/ledger.ts';
import { RequestError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { callPlatform } from '../../platform/call-platform.ts';
import { coloOf } from '../colo-of.ts';
import { type CompressStreamServices, compressStream } from '../compress-stream.ts';
import { type CompressFields, parseCompressFields } from '../contract.ts';
import type { HttpEnv } from '../http-env.ts';
import { type Include, readInclude } from '../include.ts';
import { compressAnswer, workOf } from '../present-batch.ts';
import type { RequestSlot, RequestSlots } from '../request-slots.ts';
import { readUploadForm, type UploadForm } from '../upload-form.ts';

export interface CompressServices extends CompressStreamServices {
  readonly batches: SubmitServices;
  readonly slots: RequestSlots;
  /** Each time anew, because a stub through which a call failed is of no more use. */
  ledger(accountId: string): Pick<AccountLedger, 'findUploads'>;
  /** Bytes of a request; undefined: no limit. */
  readonly maxBytes: number | undefined;
  newId(): string;
}

/** POST /api/compress. */
export function compressRoutes(services: CompressServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post('/', (c) => {
    const slot = services.slots.enter(c.get('caller'));
    const answer = compress(c, services, slot);
    const over = answer.then(({ over }) => over).finally(() => slot.leave());
    // A client that goes away must not stop the clean-up after its request.
    c.executionCtx.waitUntil(over.catch(() => undefined));
    return answer.then(({ response }) => response);
  });
  return app;
}

/** An answer, and when all of it is sent that takes its time. */
interface Answer {
  readonly response: Response;
  readonly over?: Promise<void>;
}

async function compress(c: Context<HttpEnv>, services: CompressServices, slot: RequestSlot): Promise<Answer> {
  const idempotencyKey = readIdempotencyKey(c.req.header('Idempotency-Key'));
  const { maxBytes, batches } = services;
  const { staging } = batches;
  const requestId = c.get('requestId');
  const hold = holdSmallFile(() => batches.runner(requestId));
  const form = await slot.upload(() => readUploadForm(c.req.raw, { staging, requestId, maxBytes, hold }));
  const include = readInclude(c.req.queries('include'));
  const wantsEvents = c.req.header('Accept')?.includes('text/event-stream') ?? false;
  let submitted: Awaited<ReturnType<typeof submitBatch>>;
  let handedOver = false;
  try {
    const fields = parseCompressFields(form.fields);
    const ledger = () => services.ledger(c.get('caller').accountId);
    const files = await uploadedFiles(form.files, { ledger, repeats: idempotencyKey !== undefined });
    const batch = toBatch(c, { ...form, files }, fields, include, idempotencyKey, services.newId);
    handedOver = true;
    submitted = await submitBatch(batch, batches);
  } catch (error) {
    // Nobody took the files over, unless the batch may run.
    if (!(error instanceof BatchMayRunError)) {
      c.executionCtx.waitUntil(abandon(form, batches, handedOver ? requestId : undefined));
    }
    const running = wantsEvents ? runningBatch(error) : undefined;
    if (running === undefined) throw error;
    return await compressStream(c, { id: running, include }, services);
  }
  if (submitted.replayed) c.executionCtx.waitUntil(abandon(form, batches));
  if (wantsEvents) return await streamed(c, submitted, include, services);
  if (prefersAsync(c.req.header('Prefer'))) return { response: accepted(c, submitted.id, form) };
  c.get('waits')();
  const record = await submitted.end();
  c.set('usage', record.usage);
  if (!submitted.replayed) c.set('work', workOf(record));
  const files = await reportFiles(record, services.downloads(new URL(c.req.url).origin));
  return { response: compressAnswer(record, files, include) };
}

/** Of a repetition what became of the first is looked at before the stream begins, while it can still be refused with a status. */
async function streamed(
  c: Context<HttpEnv>,
  { id, replayed, end }: SubmittedBatch,
  include: Include,
  services: CompressServices,
): Promise<Answer> {
  c.get('waits')();
  if (!replayed) return await compressStream(c, { id, include }, services);
  const { usage } = await end();
  c.set('usage', usage);
  return await compressStream(c, { id, include, usage }, services);
}

/** The batch of the same request that is still running under the Idempotency-Key: who wants events follows it. */
function runningBatch(error: unknown): string | undefined {
  if (!(error instanceof RequestError) || error.code !== 'idempotency_conflict') return undefined;
  return String(error.details.location).split('/').at(-1);
}

/** RFC 7240, 4.1. */
function prefersAsync(header: string | undefined): boolean {
  return header?.split(',').some((preference) => /^\s*respond-async\s*(;|$)/i.test(preference)) ?? false;
}

function accepted(c: Context<HttpEnv>, id: string, { files }: UploadForm): Response {
  c.header('Location', `/api/batches/${id}`);
  c.header('Preference-Applied', 'respond-async');
  return c.json({ id, files: files.length }, 202);
}

function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header !== '' && [...header].length <= limits.textCharacters) return header;
  const message = `The header Idempotency-Key must have 1 to ${limits.textCharacters} characters.`;
  throw new RequestError('invalid_request', message);
}

/** A form whose files are all there. */
type BatchForm = UploadForm & { readonly files: readonly BatchFile[] };

function toBatch(
  c: Context<HttpEnv>,
  form: BatchForm,
  fields: CompressFields,
  include: Include,
  idempotencyKey: string | undefined,
  newId: () => string,
): Batch {
  const { accountId, keyId, plan } = c.get('caller');
  const ray = c.req.header('CF-Ray');
  return {
    requestId: c.get('requestId'),
    ...(ray !== undefined && { ray }),
    accountId,
    keyId,
    plan,
    sessionId: fields.sessionId ?? newId(),
    colo: coloOf(c.req.raw),
    files: form.files,
    ...(form.watermark && { watermark: form.watermark }),
    image: imageRequest(fields, form),
    ...descriptionOptions(fields),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    asked: [fields, include.errors],
  };
}

function descriptionOptions(fields: CompressFields): Pick<Batch, 'describe'> {
  const { autoAltText: altText, autoRenameSEO: seoName, language, aiContext: context, seoKeywords: keywords } = fields;
  if (!altText && !seoName) return {};
  return {
    describe: {
      altText,
      seoName,
      language,
      ...(context !== undefined && { context }),
      ...(keywords !== undefined && { keywords }),
    },
  };
}

function imageRequest(fields: CompressFields, { watermark }: BatchForm): ImageRequest {
  const { format, quality, maxWidth, maxHeight, watermarkScale, watermarkOpacity, watermarkPosition } = fields;
  return {
    format,
    quality,
    ...(maxWidth !== undefined && { maxWidth }),
    ...(maxHeight !== undefined && { maxHeight }),
    ...(watermark && {
      watermark: {
        file: watermark.staged,
        scale: watermarkScale,
        opacity: watermarkOpacity,
        position: watermarkPosition,
      },
    }),
  };
}

/**
 * Removes the files that came with a request. Whether the batch that they were handed over for has begun is for its object to say: a call may have
 * arrived although its answer did not. Never rejects: what cannot be removed now is swept.
 */
async function abandon({ files, watermark }: UploadForm, batches: SubmitServices, handedOver?: string): Promise<void> {
  const own = [...files, ...(watermark ? [watermark] : [])].flatMap((file) => ('staged' in file ? [file.staged] : []));
  const discard = async () => handedOver === undefined || (await batches.runner(handedOver).discard());
  try {
    if (await callPlatform('batch discard', discard)) await batches.staging.remove(own);
  } catch {
    // The sweep, or the object's alarm.
  }
}
