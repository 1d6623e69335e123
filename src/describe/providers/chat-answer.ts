import { z } from 'zod';
import { ProviderError } from './provider.ts';

const part = z.object({ text: z.string().optional().catch(undefined) });
const message = z.object({
  content: z
    .union([z.string(), z.array(part), z.record(z.string(), z.unknown())])
    .nullish()
    .catch(null),
  refusal: z.string().nullish().catch(null),
});
const completion = z.object({
  choices: z.array(z.object({ message, finish_reason: z.string().nullish().catch(null) })).min(1),
});
/** Workers AI, models of the older interface: the text, or with JSON mode the object. */
const plainResponse = z.object({ response: z.union([z.string(), z.record(z.string(), z.unknown())]) });

/**
 * The model's words in a chat completion (OpenAI API reference, "The chat completion object") or in a response of Workers AI:
 * text or an object, in whatever form; an empty text when it holds none.
 * @throws ProviderError refused: the model or a content filter declined
 */
export function chatAnswer(body: unknown): unknown {
  const plain = plainResponse.safeParse(body);
  if (plain.success) return plain.data.response;
  const parsed = completion.safeParse(body);
  if (!parsed.success) return typeof body === 'string' ? body : '';
  const { message: said, finish_reason: reason } = parsed.data.choices[0]!;
  if (said.refusal || reason === 'content_filter') throw new ProviderError('refused');
  const { content } = said;
  if (Array.isArray(content)) return content.map(({ text }) => text ?? '').join('');
  return content ?? '';
}
