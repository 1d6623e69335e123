import { embedded } from './embedded.ts';
import { type Fetch, openAi } from './openai.ts';
import type { Provider } from './provider.ts';
import { type AiBinding, workersAi } from './workers-ai.ts';

/** Which provider, and what it needs. Already validated. */
export type ProviderSettings =
  | { readonly provider: 'workers-ai'; readonly model: string; readonly gateway: string | undefined }
  | {
      readonly provider: 'openai';
      readonly model: string;
      readonly baseUrl: string;
      readonly apiKey: string | undefined;
    }
  | { readonly provider: 'embedded' };

/** What providers reach the world through. */
export interface ProviderCapabilities {
  readonly ai: AiBinding | undefined;
  readonly fetch: Fetch;
}

/** The provider that the operator chose. */
export function createProvider(settings: ProviderSettings, { ai, fetch }: ProviderCapabilities): Provider {
  switch (settings.provider) {
    case 'workers-ai':
      return workersAi(ai, settings);
    case 'openai':
      return openAi(fetch, settings);
    case 'embedded':
      return embedded;
  }
}
