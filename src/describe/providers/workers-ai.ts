import { askInForm, FormRefused } from './ask-in-form.ts';
import { chatAnswer } from './chat-answer.ts';
import { chatRequest } from './chat-request.ts';
import { type Provider, ProviderError } from './provider.ts';
import { readAnswer } from './read-answer.ts';

/** What is used of the Workers AI binding. */
export interface AiBinding {
  run(model: string, inputs: Record<string, unknown>, options: Record<string, unknown>): Promise<unknown>;
}

/** Error numbers of Workers AI (its documentation, "Errors"; 3036 account limited, 3040 out of capacity). */
const overloaded = new Set(['3036', '3040', '429']);
const timedOut = new Set(['3007', '3008', '408']);
/** For models whose chat template knows it. */
const withoutThinking = { chat_template_kwargs: { enable_thinking: false } };
/** What another form of the same question may mend: invalid input, JSON mode that is not supported or could not be met. */
const formRefused =
  /\b(5004|5006|5023|5024|5025|8001)\b|json mode|json_schema|response_format|invalid (input|request|data)/i;

/**
 * Workers AI: a chat model with vision. Thinking is switched off: it costs time and the answer is short.
 * @param binding undefined where the platform has none: every call fails then
 * @param p.gateway id of an AI Gateway through which calls go
 */
export function workersAi(
  binding: AiBinding | undefined,
  p: { readonly model: string; readonly gateway?: string | undefined },
): Provider {
  const gateway = p.gateway === undefined ? {} : { gateway: { id: p.gateway } };
  return {
    id: 'workers-ai',
    kind: 'model',
    answer: (request, picture, signal) =>
      askInForm(async (form) => {
        if (binding === undefined) throw new ProviderError('unavailable', 'no binding');
        const inputs = { ...chatRequest(request, picture, form), ...(form !== 'none' && withoutThinking) };
        const body = await binding.run(p.model, inputs, { ...gateway, signal }).catch((error: unknown) => {
          throw failure(error, form === 'none');
        });
        // The binding reads only what is declared as `application/json` and nothing more; the rest it hands on unread.
        return chatAnswer(body instanceof ReadableStream ? await readAnswer(body) : body);
      }),
  };
}

/** The binding throws errors whose message begins with the number; what follows may repeat the question. */
function failure(error: unknown, last: boolean): Error {
  const message = error instanceof Error ? error.message : String(error);
  const code = /\b\d{3,4}\b/.exec(message.slice(0, 100))?.[0];
  if (code !== undefined && overloaded.has(code)) return new ProviderError('overloaded', code);
  if (code !== undefined && timedOut.has(code)) return new ProviderError('timeout', code);
  if (!last && formRefused.test(message.slice(0, 1000))) return new FormRefused();
  if (/capacity|rate limit|too many requests/i.test(message.slice(0, 1000)))
    return new ProviderError('overloaded', code);
  return new ProviderError('unavailable', code);
}
