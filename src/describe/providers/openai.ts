import { askInForm, FormRefused } from './ask-in-form.ts';
import { chatAnswer } from './chat-answer.ts';
import { chatRequest } from './chat-request.ts';
import { type Provider, ProviderError } from './provider.ts';
import { readAnswer } from './read-answer.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const overloaded = [429, 503, 529];
const formRefused = [400, 415, 422, 501];

/**
 * Any server that speaks OpenAI's chat completions with vision: Ollama, llama.cpp, vLLM, a gateway.
 * @param p.baseUrl up to and with `/v1`, without a slash at the end
 */
export function openAi(
  fetch: Fetch,
  p: { readonly baseUrl: string; readonly apiKey?: string | undefined; readonly model: string },
): Provider {
  const headers = {
    'Content-Type': 'application/json',
    ...(p.apiKey !== undefined && { Authorization: `Bearer ${p.apiKey}` }),
  };
  return {
    id: 'openai',
    kind: 'model',
    answer: (request, picture, signal) =>
      askInForm(async (form) => {
        const body = JSON.stringify({ model: p.model, ...chatRequest(request, picture, form), stream: false });
        // A redirect would carry the key and the picture to an address that the operator did not name.
        const init: RequestInit = { method: 'POST', headers, body, signal, redirect: 'manual' };
        const response = await fetch(`${p.baseUrl}/chat/completions`, init).catch(() => {
          throw new ProviderError('unavailable');
        });
        if (!response.ok) throw await failure(response, form === 'none');
        return chatAnswer(await readAnswer(response.body));
      }),
  };
}

async function failure(response: Response, last: boolean): Promise<Error> {
  const { status, body } = response;
  await body?.cancel().catch(() => {});
  if (overloaded.includes(status)) return new ProviderError('overloaded', String(status));
  if (status === 408 || status === 504) return new ProviderError('timeout', String(status));
  if (!last && formRefused.includes(status)) return new FormRefused();
  return new ProviderError('unavailable', String(status));
}
