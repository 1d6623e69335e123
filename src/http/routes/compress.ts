import { type Context, Hono } from 'hono';
import type { Batch } from '../../batch/batch.ts';
import type { ImageRequest } from '../../batch/file-job.ts';
import { reportFiles } from '../../batch/report-files.ts';
import type { StagedFile } from '../../batch/staging.ts';
import { type SubmitServices, type SubmittedBatch, submitBatch } from '../../batch/submit-batch.ts';
import { RequestError } from '../../errors.ts';
import { limits } from '../../limits.ts';
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
  const { staging } = services.batches;
  const requestId = c.get('requestId');
  const form = await slot.upload(() => readUploadForm(c.req.raw, { staging, requestId }));
  const include = readInclude(c.req.queries('include'));
  const wantsEvents = c.req.header('Accept')?.includes('text/event-stream') ?? false;
  let submitted: Awaited<ReturnType<typeof submitBatch>>;
  try {
    const batch = toBatch(c, form, parseCompressFields(form.fields), include, idempotencyKey, services.newId);
    submitted = await submitBatch(batch, services.batches);
  } catch (error) {
    // Nobody took the files over. What cannot be removed now is swept.
    c.executionCtx.waitUntil(staging.remove(stagedFiles(form)).catch(() => {}));
    const running = wantsEvents ? runningBatch(error) : undefined;
    if (running === undefined) throw error;
    return await compressStream(c, { id: running, include }, services);
  }
  if (submitted.replayed) c.executionCtx.waitUntil(staging.remove(stagedFiles(form)).catch(() => {}));
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

/** The data centre's name; off the platform there is one. */
function colo({ cf }: Request): string {
  return typeof cf?.colo === 'string' ? cf.colo : 'local';
}

function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header !== '' && [...header].length <= limits.textCharacters) return header;
  const message = `The header Idempotency-Key must have 1 to ${limits.textCharacters} characters.`;
  throw new RequestError('invalid_request', message);
}

function toBatch(
  c: Context<HttpEnv>,
  form: UploadForm,
  fields: CompressFields,
  include: Include,
  idempotencyKey: string | undefined,
  newId: () => string,
): Batch {
  const { accountId, keyId, plan } = c.get('caller');
  return {
    requestId: c.get('requestId'),
    accountId,
    keyId,
    plan,
    sessionId: fields.sessionId ?? newId(),
    colo: colo(c.req.raw),
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

function imageRequest(fields: CompressFields, { watermark }: UploadForm): ImageRequest {
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

function stagedFiles({ files, watermark }: UploadForm): StagedFile[] {
  return [...files, ...(watermark ? [watermark] : [])].map(({ staged }) => staged);
}
