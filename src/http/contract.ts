import { z } from 'zod';
import { planIds } from '../credits/plans.ts';
import { languages } from '../describe/language.ts';
import { fileErrorCodes } from '../errors.ts';
import { formatIds } from '../image/formats/format-id.ts';
import { watermarkPositions } from '../image/options.ts';
import { limits } from '../limits.ts';
import { readFields } from './read-fields.ts';
import { resultDetails } from './result-details.ts';

/** Text of at most `max` characters, counted as code points like JSON Schema does. */
export function text(max: number, min = 0) {
  const bounds = min > 0 ? { minLength: min, maxLength: max } : { maxLength: max };
  const fits = (value: string) => [...value].length <= max && value.trim().length >= min;
  return z
    .string()
    .refine(fits, `must have ${min > 0 ? `${min} to ${max}` : `at most ${max}`} characters`)
    .meta(bounds);
}

const side = z.number().int().min(1).max(limits.outputSide);
const bytes = z.number().int().min(0);
const count = z.number().int().min(0);
const instant = z.iso.datetime();
const opaqueId = z.string();

/** The text fields of POST /api/compress. Files are not in it: they never pass through memory as a whole. */
export const compressFields = z.object({
  format: z.enum(formatIds).default('webp').describe('Output format.'),
  quality: z.number().min(40).max(100).default(82).describe('For webp, avif and jpg; png is lossless and ignores it.'),
  maxWidth: side
    .exactOptional()
    .describe('Pixels. Larger images are scaled down in proportion, smaller ones never up.'),
  maxHeight: side
    .exactOptional()
    .describe('Pixels. Larger images are scaled down in proportion, smaller ones never up.'),
  sessionId: text(limits.textCharacters)
    .exactOptional()
    .describe('Groups the results of one session; random when absent.'),
  watermarkScale: z.number().min(5).max(50).default(20).describe("Width in percent of the output's width."),
  watermarkOpacity: z.number().min(0).max(100).default(80).describe('0 is transparent, 100 is opaque.'),
  watermarkPosition: z.enum(watermarkPositions).default('BR').describe('Top, Middle, Bottom × Left, Center, Right.'),
  autoAltText: z.boolean().default(false).describe('Describe each image with AI. One AI credit an image.'),
  autoRenameSEO: z
    .boolean()
    .default(false)
    .describe('Name each file with AI. One AI credit an image, with or without alt text.'),
  language: z.enum(languages).default('English').describe('Language of the AI results.'),
  aiContext: text(limits.textCharacters).exactOptional().describe('A short phrase on what the images are about.'),
  seoKeywords: text(limits.textCharacters).exactOptional().describe('Keywords that guide the AI results.'),
});
export type CompressFields = z.output<typeof compressFields>;

/**
 * Reads and checks the text fields of a compress request; unknown fields are ignored, absent ones get their defaults.
 * @throws RequestError invalid_request: the message names each wrong field, what is allowed and what was received
 */
export function parseCompressFields(fields: ReadonlyMap<string, string>): CompressFields {
  return readFields(compressFields, fields);
}

export const resultItem = z
  .object({
    originalName: z.string().describe('The name as sent.'),
    newName: z.string().describe('The name of the result, with its new extension.'),
    originalSize: bytes.describe('Bytes.'),
    optimizedSize: bytes.describe('Bytes.'),
    downloadUrl: z.url().describe('Signed and temporary: download promptly.'),
    altText: z
      .string()
      .exactOptional()
      .describe('At most 80 characters (grapheme clusters). Only when autoAltText was asked for and worked.'),
    ...resultDetails,
  })
  .meta({ id: 'ResultItem', description: 'One file that was processed.' });
export type ResultItem = z.output<typeof resultItem>;

export const fileFailure = z
  .object({
    index: count.describe('Place of the file in the request, from 0.'),
    name: z.string().describe('The name as sent.'),
    error: z.enum(fileErrorCodes).describe('Stable: for programs.'),
    message: z.string().describe('For people: what was wrong and what to do. May change.'),
  })
  .meta({ id: 'FileFailure', description: 'One file that failed while others went on. It costs nothing.' });
export type FileFailure = z.output<typeof fileFailure>;

export const compressBody = z
  .object({
    data: z.array(resultItem).describe('One item per processed file, in the order sent.'),
    errors: z.array(fileFailure).exactOptional().describe('Only with ?include=errors.'),
  })
  .meta({ id: 'CompressResult', description: 'What became of a batch.' });
export type CompressBody = z.output<typeof compressBody>;

export const acceptedBody = z
  .object({
    id: opaqueId.describe('Of the batch: its address is in Location.'),
    files: count.describe('Files of the batch.'),
  })
  .meta({ id: 'AcceptedBatch', description: 'A batch that goes on without the connection.' });

const batchId = opaqueId.describe('The `X-Request-Id` of the request that made it.');
const batchState = z
  .enum(['running', 'done'])
  .describe('`done`: every file has its outcome, and the batch is charged.');
const batchMade = instant.describe('When it was made.');

export const batchBody = z
  .object({
    id: batchId,
    state: batchState,
    files: z
      .array(
        z.object({
          index: count.describe('Place of the file in the request, from 0.'),
          name: z.string().describe('The name as sent.'),
          state: z.enum(['queued', 'running', 'done', 'failed']).describe('How far the file is.'),
        }),
      )
      .describe('Every file, in the order sent.'),
    data: z
      .array(resultItem)
      .describe(
        'One item per processed file, in the order sent; grows as files are done. Links are signed at each call.',
      ),
    errors: z.array(fileFailure).exactOptional().describe('The failed files; absent while none has failed.'),
    createdAt: batchMade,
  })
  .meta({ id: 'Batch', description: 'A batch as it is now.' });
export type BatchBody = z.output<typeof batchBody>;

export const batchListBody = z
  .object({
    batches: z
      .array(z.object({ id: batchId, files: count.describe('Files of it.'), state: batchState, createdAt: batchMade }))
      .describe('The newest first.'),
    nextCursor: z.string().exactOptional().describe('Absent at the end of the list.'),
  })
  .meta({ id: 'BatchList', description: 'A page of batches.' });

const plan = z.enum(planIds).describe('The plan of the account.');
const used = count.describe('Settled in the period, of the plan’s allowance.');
const limit = count.describe('What the plan allows in the period.');

export const usageBody = z
  .object({
    plan,
    period: z
      .object({ start: instant.describe('Its first second.'), end: instant.describe('The first second after it.') })
      .describe('A calendar month in UTC.'),
    compressions: z
      .object({ used, limit, remaining: count.describe('What a new request may still reserve.') })
      .describe('Files that were processed.'),
    aiCredits: z
      .object({
        used,
        limit,
        topUp: count.describe('Bought and not spent; they do not lapse.'),
        remaining: count.describe('What a new request may still reserve, top-ups included.'),
      })
      .describe('Images with AI texts.'),
  })
  .meta({ id: 'Usage', description: 'Where an account stands.' });

export const errorBody = z
  .object({
    error: z.string().describe('Stable: for programs.'),
    message: z.string().describe('For people: what was wrong, what is allowed, what to do. May change.'),
  })
  .meta({ id: 'Error', description: 'Why a request was refused or failed.' });
export type ErrorBody = z.output<typeof errorBody>;

export const healthBody = z
  .object({
    status: z.literal('ok').describe('It answers.'),
    version: z.string().describe('The version of the service.'),
    versionId: opaqueId.exactOptional().describe('The id that the platform gave to what was deployed.'),
  })
  .meta({ id: 'Health', description: 'That the service answers.' });

export const readyBody = z
  .object({
    ready: z.literal(true).describe('Every part answered.'),
    checks: z.record(z.string(), z.number().int().min(0)).describe('Milliseconds in which each part answered.'),
  })
  .meta({ id: 'Ready', description: 'That all answers which the service needs.' });

const accountId = opaqueId.describe('The id of the account.');
const accountName = text(200, 1).describe('For people; who runs the service sees it, and its owner.');
const suspended = z.boolean().describe('True: every call of the account is refused.');

export const newAccountBody = z
  .strictObject({ name: accountName, plan })
  .meta({ id: 'NewAccount', description: 'An account to be made.' });

export const createdAccountBody = z
  .object({ id: accountId, name: z.string().describe('As given.'), plan })
  .meta({ id: 'CreatedAccount', description: 'An account that was made.' });

export const accountChangeBody = z
  .strictObject({
    plan: plan.exactOptional(),
    name: accountName.exactOptional(),
    suspended: suspended.exactOptional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Give at least one of plan, name and suspended')
  .meta({ id: 'AccountChange', description: 'What is to change; the rest stays.', minProperties: 1 });

export const accountBody = z
  .object({
    id: accountId,
    name: z.string().describe('As given.'),
    plan,
    suspended,
    createdAt: instant.describe('When it was made.'),
  })
  .meta({ id: 'Account', description: 'An account.' });

export const nextCursor = z.string().exactOptional().describe('For the next page; absent on the last one.');

export const accountListBody = z
  .object({ accounts: z.array(accountBody).describe('The oldest first.'), nextCursor })
  .meta({ id: 'AccountList', description: 'A page of accounts.' });

/** Query of a list in pages. */
export const pageQuery = z.object({
  limit: z.number().int().min(1).max(limits.pageEntries).default(limits.pageEntries).describe('Entries at the most.'),
  cursor: text(100).exactOptional().describe('nextCursor of the page before.'),
});

export const accountListQuery = pageQuery.extend({
  search: text(limits.textCharacters).exactOptional().describe('Part of the name or the id.'),
});

export const newKeyBody = z
  .strictObject({
    label: text(200, 1).describe('What the key is for, to tell keys apart.'),
    kind: z.enum(['api', 'app']).describe('api: customers’ own programs; app: first-party front ends.'),
    expiresAt: z.iso.datetime({ offset: true }).exactOptional().describe('In the future; never when absent.'),
  })
  .meta({ id: 'NewKey', description: 'A key to be made.' });

export const keyBody = z
  .object({
    id: opaqueId.describe('The id of the key; it is no secret.'),
    label: z.string().describe('As given.'),
    kind: z.enum(['api', 'app']).describe('api: customers’ own programs; app: first-party front ends.'),
    prefix: z.string().describe('The first characters of the key, to tell keys apart.'),
    createdAt: instant.describe('When it was made.'),
    expiresAt: instant.nullable().describe('From when on it is refused; null: never.'),
    revokedAt: instant.nullable().describe('When it was revoked; null: it was not.'),
  })
  .meta({ id: 'Key', description: 'A key without its secret.' });

export const issuedKeyBody = keyBody
  .extend({ key: z.string().describe('Shown only here.') })
  .meta({ id: 'IssuedKey', description: 'A key at the one moment when it can be seen.' });

export const accountDetailBody = accountBody
  .extend({ usage: usageBody, keys: z.array(keyBody).describe('The oldest first, revoked and expired ones too.') })
  .meta({ id: 'AccountDetail', description: 'An account with its usage and keys.' });

export const topUpBody = z
  .strictObject({
    aiCredits: z.number().int().min(1).max(10_000_000).describe('Credits to add; they do not lapse.'),
    reference: text(200, 1).describe('Names the purchase: the same reference twice adds once.'),
  })
  .meta({ id: 'TopUp', description: 'AI credits to add.' });

export const topUpResultBody = z
  .object({ added: z.boolean().describe('False: the reference was added before.'), usage: usageBody })
  .meta({ id: 'TopUpResult', description: 'What became of a top-up.' });
