import { z } from 'zod';
import { errorBody, fileFailure, resultItem, usageBody } from './contract.ts';

const count = z.number().int().min(0);
const index = count.describe('Place of the file in the request, from 0.');

/** The events of POST /api/compress, by name: what the data of each is. */
export const compressEvents = {
  accepted: z
    .object({
      requestId: z.string().describe('The batch: `GET /api/batches/{id}` shows it from now on.'),
      files: count.describe('Files of the batch.'),
    })
    .meta({
      id: 'AcceptedEvent',
      description: 'The first event: every file has arrived, and the work goes on without the connection.',
    }),
  file: z
    .object({ index, state: z.enum(['queued', 'running']).describe('How far it is.') })
    .meta({ id: 'FileEvent', description: 'How far a file is.' }),
  result: z.object({ index, item: resultItem }).meta({
    id: 'ResultEvent',
    description:
      'A file is done. Comes again for a file whose name changed because an earlier one of the same name was done later: the last one counts.',
  }),
  failure: fileFailure,
  usage: usageBody,
  done: z.object({}).meta({ id: 'DoneEvent', description: 'The last event: the batch is done and charged.' }),
  error: errorBody,
};
