import type { AiBinding } from '../../src/describe/providers/workers-ai.ts';
import { completion, type Reply, type Script, seenCall } from './model-replies.ts';

/** How models of Workers AI put their answer: chat models, and models of the older interface without and with JSON mode. */
export type WorkersAiShape = 'choices' | 'response' | 'json';

/** The binding of Workers AI with a scripted model behind it; errors are thrown as workerd's binding throws them. */
export function fakeWorkersAi(script: Script, shape: WorkersAiShape = 'choices'): AiBinding & { options: unknown[] } {
  const options: unknown[] = [];
  return {
    options,
    async run(model, inputs, given) {
      options.push(given);
      const reply = script.next(seenCall(model, inputs));
      if (reply === undefined) throw upstreamError(5025, "This model doesn't support JSON Schema.");
      return await perform(reply, shape, given.signal as AbortSignal);
    },
  };
}

async function perform(reply: Reply, shape: WorkersAiShape, signal: AbortSignal): Promise<unknown> {
  switch (reply.kind) {
    case 'says':
      return answer(reply.text, shape);
    case 'refuses':
      return completion({ content: null, refusal: 'I cannot describe this.' });
    case 'overloaded':
      throw upstreamError(3040, 'Capacity temporarily exceeded, please try again.');
    case 'fails':
      throw upstreamError(5007, 'No such model or task');
    case 'garbage':
      return { nothing: ['to', 'see'] };
    case 'hangs':
      return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }
}

function answer(text: string, shape: WorkersAiShape): unknown {
  if (shape === 'choices') return completion({ content: text });
  if (shape === 'response') return { response: text, usage: { total_tokens: 440 } };
  return { response: parsedOrText(text) };
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The message begins with the internal code, as the binding makes it from the body of a failed call. */
function upstreamError(code: number, description: string): Error {
  const error = new Error(`${code}: ${description}`);
  error.name = 'InferenceUpstreamError';
  return error;
}
