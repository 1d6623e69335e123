import { describeEmbedded } from '../embedded/describe-embedded.ts';
import { type Provider, ProviderError } from './provider.ts';

/**
 * The describer that is part of the service: needs no account and no network, is deterministic, and is not a vision model.
 * It tells what was measured (shape, colours, brightness, transparency) and what the customer wrote.
 */
export const embedded: Provider = {
  id: 'embedded',
  kind: 'measured',
  answer: async ({ language, originalName, context, keywords }, { traits }) => {
    if (traits === undefined) throw new ProviderError('no_preview');
    return describeEmbedded({
      traits,
      language,
      originalName,
      ...(context !== undefined && { context }),
      ...(keywords !== undefined && { keywords }),
    });
  },
};
