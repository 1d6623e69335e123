import { z } from 'zod';

const count = z.number().int().min(0);
const day = z.iso.date();

export const usageDaysBody = z
  .object({
    from: day.describe('The first day asked for.'),
    to: day.describe('The last day asked for.'),
    days: z
      .array(
        z.object({
          day: day.describe('In UTC.'),
          keyId: z
            .string()
            .describe('The key that was used; `console` for signed-in browsers, `unknown` where none was noted.'),
          compressions: count.describe('Files that were processed.'),
          aiCredits: count.describe('Of the monthly allowance and of top-ups.'),
          bytesIn: count.describe('Bytes of the files that were processed, as sent.'),
          bytesOut: count.describe('Bytes of their results.'),
        }),
      )
      .describe('One entry for each day and key that used something, the oldest first.'),
  })
  .meta({ id: 'UsageDays', description: 'What was used on each day, by key.' });
