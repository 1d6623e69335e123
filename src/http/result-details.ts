import { z } from 'zod';
import type { ImageRequest } from '../batch/file-job.ts';
import { aiFailed } from '../batch/outcome.ts';
import type { ReportedFile } from '../batch/report-files.ts';
import { formatIds } from '../image/formats/format-id.ts';

/** What a customer should know of a file that succeeded. Closed; part of the contract. */
export const warningCodes = ['ai_failed'] as const;

const side = z.number().int().min(1).exactOptional();
const only = 'Only with `include=details`';

/** What an item of a result also has with `include=details`. Sides are absent for results of an older version of the service. */
export const resultDetails = {
  width: side.describe(`Pixels of the result. ${only}.`),
  height: side.describe(`Pixels of the result. ${only}.`),
  originalWidth: side.describe(`Pixels of the file as sent, upright. ${only}.`),
  originalHeight: side.describe(`Pixels of the file as sent, upright. ${only}.`),
  format: z.enum(formatIds).exactOptional().describe(`Format of the result. ${only}.`),
  savedBytes: z.number().int().exactOptional().describe(`Bytes saved; below 0 where the result is larger. ${only}.`),
  savedPercent: z
    .number()
    .exactOptional()
    .describe(`Bytes saved in percent of the original size, to one decimal place. ${only}.`),
  quality: z
    .number()
    .nullable()
    .exactOptional()
    .describe(`The quality asked for; null where none applies: png, and unchanged files. ${only}.`),
  unchanged: z
    .boolean()
    .exactOptional()
    .describe(`True: nothing made it smaller, so the result is the file as sent without its metadata. ${only}.`),
  warnings: z
    .array(
      z.object({
        code: z.enum(warningCodes).describe('Stable: for programs.'),
        message: z.string().describe('For people.'),
      }),
    )
    .exactOptional()
    .describe(`What to know of the result, mostly nothing. ${only}.`),
};

type Details = z.output<z.ZodObject<typeof resultDetails>>;

/** The details of a file that was processed. */
export function detailsOf({ size, outcome }: ReportedFile, { format, quality }: ImageRequest): Details {
  if (outcome?.kind !== 'done') return {};
  const { picture } = outcome;
  const savedBytes = size - outcome.size;
  return {
    ...picture,
    format,
    savedBytes,
    savedPercent: Math.round((1000 * savedBytes) / size) / 10,
    quality: format === 'png' || picture?.unchanged ? null : quality,
    warnings: aiFailed(outcome) ? [aiWarning] : [],
  };
}

const aiWarning = {
  code: 'ai_failed',
  message: 'The AI texts of this image could not be made. They cost no AI credit; send the image again to have them.',
} as const;
