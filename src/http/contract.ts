import { z } from 'zod';
import { planIds } from '../credits/plans.ts';
import { languages } from '../describe/language.ts';
import { fileErrorCodes } from '../errors.ts';
import { formatIds } from '../image/formats/format-id.ts';
import { watermarkPositions } from '../image/options.ts';
import { auditActions } from '../keys/audit-log.ts';
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
  .meta({ id: 'ResultItem' });
export type ResultItem = z.output<typeof resultItem>;

export const fileFailure = z
  .object({
    index: count.describe('Place of the file in the request, from 0.'),
    name: z.string(),
    error: z.enum(fileErrorCodes),
    message: z.string(),
  })
  .meta({ id: 'FileFailure' });
export type FileFailure = z.output<typeof fileFailure>;

export const compressBody = z
  .object({
    data: z.array(resultItem).describe('One item per processed file, in the order sent.'),
    errors: z.array(fileFailure).exactOptional().describe('Only with ?include=errors.'),
  })
  .meta({ id: 'CompressResult' });
export type CompressBody = z.output<typeof compressBody>;

export const acceptedBody = z
  .object({ id: opaqueId.describe('Of the batch: its address is in Location.'), files: count })
  .meta({ id: 'AcceptedBatch' });

const batchState = z.enum(['running', 'done']);

export const batchBody = z
  .object({
    id: opaqueId,
    state: batchState,
    files: z.array(
      z.object({ index: count, name: z.string(), state: z.enum(['queued', 'running', 'done', 'failed']) }),
    ),
    data: z
      .array(resultItem)
      .describe(
        'One item per processed file, in the order sent; grows as files are done. Links are signed at each call.',
      ),
    errors: z.array(fileFailure).exactOptional().describe('The failed files; absent while none has failed.'),
    createdAt: instant,
  })
  .meta({ id: 'Batch' });
export type BatchBody = z.output<typeof batchBody>;

export const batchListBody = z
  .object({
    batches: z.array(z.object({ id: opaqueId, files: count, state: batchState, createdAt: instant })),
    nextCursor: z.string().exactOptional().describe('Absent at the end of the list.'),
  })
  .meta({ id: 'BatchList' });

export const usageBody = z
  .object({
    plan: z.enum(planIds),
    period: z.object({ start: instant, end: instant }).describe('A calendar month in UTC.'),
    compressions: z.object({ used: count, limit: count, remaining: count }),
    aiCredits: z.object({ used: count, limit: count, topUp: count, remaining: count }),
  })
  .meta({ id: 'Usage' });

export const errorBody = z
  .object({ error: z.string(), message: z.string().describe('For people; may change.') })
  .meta({ id: 'Error' });
export type ErrorBody = z.output<typeof errorBody>;

export const healthBody = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    versionId: opaqueId.exactOptional().describe('The id that the platform gave to what was deployed.'),
  })
  .meta({ id: 'Health' });

export const readyBody = z
  .object({
    ready: z.literal(true),
    checks: z.record(z.string(), z.number().int().min(0)).describe('Milliseconds in which each part answered.'),
  })
  .meta({ id: 'Ready' });

const accountName = text(200, 1);

export const newAccountBody = z.strictObject({ name: accountName, plan: z.enum(planIds) }).meta({ id: 'NewAccount' });

export const createdAccountBody = z
  .object({ id: opaqueId, name: z.string(), plan: z.enum(planIds) })
  .meta({ id: 'CreatedAccount' });

export const accountChangeBody = z
  .strictObject({
    plan: z.enum(planIds).exactOptional(),
    name: accountName.exactOptional(),
    suspended: z.boolean().exactOptional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Give at least one of plan, name and suspended')
  .meta({ id: 'AccountChange', minProperties: 1 });

export const accountBody = z
  .object({
    id: opaqueId,
    name: z.string(),
    plan: z.enum(planIds),
    suspended: z.boolean(),
    createdAt: instant,
  })
  .meta({ id: 'Account' });

export const nextCursor = z.string().exactOptional().describe('For the next page; absent on the last one.');

export const accountListBody = z
  .object({ accounts: z.array(accountBody).describe('The oldest first.'), nextCursor })
  .meta({ id: 'AccountList' });

/** Query of a list in pages. */
export const pageQuery = z.object({
  limit: z.number().int().min(1).max(limits.pageEntries).default(limits.pageEntries).describe('Entries at the most.'),
  cursor: text(100).exactOptional().describe('nextCursor of the page before.'),
});

export const accountListQuery = pageQuery.extend({
  search: text(limits.textCharacters).exactOptional().describe('Part of the name or the id.'),
});

/** What every entry of an audit has. */
export const auditEntryShape = {
  at: instant,
  action: z.enum(auditActions),
  target: opaqueId.describe('The account, key, invite or session.'),
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .describe('What was set.'),
  address: z.string().nullable().describe('Where the request came from, as far as it is told.'),
  requestId: z.string(),
};

export const auditBody = z
  .object({
    entries: z
      .array(
        z.object({
          ...auditEntryShape,
          admin: z.string().describe('The name of the operator’s token; `owner` where `actor` says so.'),
          actor: z.literal('owner').exactOptional().describe('The owner of the account; absent: an operator.'),
        }),
      )
      .describe('The newest first.'),
    nextCursor,
  })
  .meta({ id: 'Audit' });

export const newKeyBody = z
  .strictObject({
    label: text(200, 1),
    kind: z.enum(['api', 'app']).describe('api: customers’ own programs; app: first-party front ends.'),
    expiresAt: z.iso.datetime({ offset: true }).exactOptional().describe('In the future; never when absent.'),
  })
  .meta({ id: 'NewKey' });

export const keyBody = z
  .object({
    id: opaqueId,
    label: z.string(),
    kind: z.enum(['api', 'app']),
    prefix: z.string().describe('The first characters of the key, to tell keys apart.'),
    createdAt: instant,
    expiresAt: instant.nullable(),
    revokedAt: instant.nullable(),
  })
  .meta({ id: 'Key' });

export const issuedKeyBody = keyBody.extend({ key: z.string().describe('Shown only here.') }).meta({ id: 'IssuedKey' });

export const accountDetailBody = accountBody
  .extend({ usage: usageBody, keys: z.array(keyBody) })
  .meta({ id: 'AccountDetail' });

export const topUpBody = z
  .strictObject({
    aiCredits: z.number().int().min(1).max(10_000_000),
    reference: text(200, 1).describe('Names the purchase: the same reference twice adds once.'),
  })
  .meta({ id: 'TopUp' });

export const topUpResultBody = z.object({ added: z.boolean(), usage: usageBody }).meta({ id: 'TopUpResult' });
