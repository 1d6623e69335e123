import { describeImage } from '../../src/describe/describe-image.ts';
import type { DescriptionRequest } from '../../src/describe/description.ts';
import { type AiBinding, workersAi } from '../../src/describe/providers/workers-ai.ts';

/** What the Worker is asked. */
export interface BindingQuestion {
  readonly request: DescriptionRequest;
  readonly jpeg: readonly number[];
  readonly timeoutMs: number;
}

/** Describes one picture through the runtime's own binding of Workers AI. */
export default {
  async fetch(request: Request, { AI }: { readonly AI: AiBinding }): Promise<Response> {
    if (request.method === 'GET') return new Response();
    const question = await request.json<BindingQuestion>();
    const provider = workersAi(AI, { model: '@cf/fake/model', gateway: undefined });
    const picture = { jpeg: Uint8Array.from(question.jpeg) };
    return Response.json(await describeImage(question.request, picture, { provider, timeoutMs: question.timeoutMs }));
  },
};
