import { type Context, Hono } from 'hono';
import type { Batch } from '../../batch/batch.ts';
import { type BatchServices, compressBatch } from '../../batch/compress-batch.ts';
import type { ImageRequest } from '../../batch/file-job.ts';
import { aiFailed, type FileOutcome, type ReportedOutcome } from '../../batch/outcome.ts';
import type { StagedFile } from '../../batch/staging.ts';
import type { StoredResponse } from '../../credits/idempotency.ts';
import { RequestError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { type CompressBody, type CompressFields, type FileFailure, parseCompressFields } from '../contract.ts';
import { failedFilesHeader } from '../failed-files-header.ts';
import type { HttpEnv, Work } from '../http-env.ts';
import type { RequestSlot, RequestSlots } from '../request-slots.ts';
import { readUploadForm, type UploadForm } from '../upload-form.ts';

export interface CompressServices {
  readonly staging: BatchServices['staging'];
  readonly slots: RequestSlots;
  newId(): string;
  /**
   * What a batch works with.
   * @param origin scheme and authority to which the request was sent
   * @param colo the data centre that received it
   */
  batch(from: { accountId: string; origin: string; colo: string }): Omit<BatchServices, 'present'>;
}

/** POST /api/compress. */
export function compressRoutes(services: CompressServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post('/', (c) => {
    const slot = services.slots.enter(c.get('caller'));
    const answer = compress(c, services, slot).finally(() => slot.leave());
    // A client that goes away must not stop the clean-up behind its request.
    c.executionCtx.waitUntil(answer.catch(() => undefined));
    return answer;
  });
  return app;
}

async function compress(c: Context<HttpEnv>, services: CompressServices, slot: RequestSlot): Promise<Response> {
  const idempotencyKey = readIdempotencyKey(c.req.header('Idempotency-Key'));
  const requestId = c.get('requestId');
  const form = await slot.upload(() => readUploadForm(c.req.raw, { staging: services.staging, requestId }));
  try {
    const fields = parseCompressFields(form.fields);
    const withErrors = c.req.query('include') === 'errors';
    const batch = toBatch(c, form, fields, withErrors, idempotencyKey, services.newId);
    const result = await compressBatch(batch, {
      ...services.batch({ accountId: batch.accountId, origin: new URL(c.req.url).origin, colo: colo(c.req.raw) }),
      present: (outcomes) => present(outcomes, withErrors),
    });
    c.set('usage', result.usage);
    c.set('work', workOf(form, result.outcomes));
    const { body, status, headers } = result.response;
    return new Response(body, { status, headers });
  } finally {
    c.executionCtx.waitUntil(services.staging.remove(stagedFiles(form)));
  }
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
  withErrors: boolean,
  idempotencyKey: string | undefined,
  newId: () => string,
): Batch {
  const { accountId, plan } = c.get('caller');
  return {
    requestId: c.get('requestId'),
    accountId,
    plan,
    sessionId: fields.sessionId ?? newId(),
    files: form.files,
    ...(form.watermark && { watermark: form.watermark }),
    image: imageRequest(fields, form),
    ...descriptionOptions(fields),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    asked: [fields, withErrors],
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

function present(outcomes: readonly ReportedOutcome[], withErrors: boolean): StoredResponse {
  const failures = outcomes.flatMap(failureOf);
  const body: CompressBody = { data: outcomes.flatMap(itemOf), ...(withErrors && { errors: failures }) };
  const failed = failedFilesHeader(failures);
  const withoutAi = outcomes.filter(({ outcome }) => aiFailed(outcome)).length;
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/json',
      ...(failed !== undefined && { 'X-Failed-Files': failed }),
      ...(withoutAi > 0 && { 'X-AI-Failed': String(withoutAi) }),
    },
    body: JSON.stringify(body),
  };
}

function itemOf({ originalName, originalSize, outcome, result }: ReportedOutcome): CompressBody['data'] {
  if (outcome.kind === 'failed' || result === undefined) return [];
  const altText = outcome.description?.altText;
  const item = { originalName, newName: result.newName, originalSize, optimizedSize: outcome.size };
  return [{ ...item, downloadUrl: result.downloadUrl, ...(altText !== undefined && { altText }) }];
}

function failureOf({ index, originalName, outcome }: ReportedOutcome): FileFailure[] {
  if (outcome.kind !== 'failed') return [];
  return [{ index, name: originalName, error: outcome.error, message: outcome.message }];
}

function workOf({ files }: UploadForm, outcomes: readonly ReportedOutcome[]): Work {
  return {
    files: files.length,
    failed: outcomes.filter(({ outcome }) => outcome.kind === 'failed').length,
    bytesIn: files.reduce((sum, { staged }) => sum + staged.size, 0),
    bytesOut: outcomes.reduce((sum, { outcome }) => sum + (outcome.kind === 'done' ? outcome.size : 0), 0),
    aiCalls: outcomes.reduce((sum, { outcome }) => sum + aiCalls(outcome), 0),
    aiFailed: outcomes.filter(({ outcome }) => aiFailed(outcome)).length,
  };
}

function aiCalls(outcome: FileOutcome): number {
  return outcome.kind === 'done' ? (outcome.description?.calls ?? 0) : 0;
}

function stagedFiles({ files, watermark }: UploadForm): StagedFile[] {
  return [...files, ...(watermark ? [watermark] : [])].map(({ staged }) => staged);
}
