import { Buffer } from 'node:buffer';
import type { DescriptionRequest } from '../description.ts';
import { prompt } from '../prompt.ts';
import type { Picture } from './provider.ts';

/** How strictly the answer's form is asked for. Servers know all of these, some, or none. */
export const answerForms = ['json_schema', 'json_object', 'none'] as const;
export type AnswerForm = (typeof answerForms)[number];

/** Two short texts, with room for scripts that take several tokens a character. */
const MAX_TOKENS = 1024;
/** Facts, not fantasy; but a second try may turn out otherwise than the first. */
const TEMPERATURE = 0.2;

/**
 * The part of a chat completion's body that all providers share (OpenAI API reference, "Create chat completion"): the
 * instructions, then the data and the picture as a data URI. The plainest form has nothing else that a server could refuse.
 */
export function chatRequest(request: DescriptionRequest, { jpeg }: Picture, form: AnswerForm): Record<string, unknown> {
  const { instructions, data, schema } = prompt(request);
  const url = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`;
  const messages = [
    { role: 'system', content: instructions },
    {
      role: 'user',
      content: [
        { type: 'text', text: data },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ];
  if (form === 'none') return { messages };
  return { messages, response_format: responseFormat(form, schema), max_tokens: MAX_TOKENS, temperature: TEMPERATURE };
}

function responseFormat(form: 'json_schema' | 'json_object', schema: Readonly<Record<string, unknown>>) {
  if (form === 'json_object') return { type: form };
  return { type: form, json_schema: { name: 'picture_texts', strict: true, schema } };
}
