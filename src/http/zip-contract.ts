import { z } from 'zod';
import { limits } from '../limits.ts';
import { text } from './contract.ts';

/** Longer than any address that is made here: a name has 200 characters, each of up to 12 when it is encoded. */
const URL_CHARACTERS = 4000;

export const newZipBody = z
  .strictObject({
    urls: z
      .array(z.string().max(URL_CHARACTERS))
      .min(1)
      .max(limits.zipEntries)
      .describe(
        'The `downloadUrl` of each result, exactly as it was received. One that is given twice is in the ZIP once.',
      ),
    name: text(limits.textCharacters).exactOptional().describe('Name of the file, with or without its extension.'),
  })
  .meta({ id: 'NewZip', description: 'Results that are to be one file.' });

export const zipBody = z
  .object({
    downloadUrl: z.url().describe('Signed and temporary: download promptly.'),
    size: z.number().int().min(0).describe('Bytes of the ZIP.'),
    expiresAt: z.iso.datetime().describe('When the address ceases to work.'),
  })
  .meta({ id: 'Zip', description: 'A ZIP that can be downloaded.' });
export type ZipBody = z.output<typeof zipBody>;
