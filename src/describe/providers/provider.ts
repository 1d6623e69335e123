import type { DescriptionFailure, DescriptionRequest } from '../description.ts';
import type { PictureTraits } from '../traits.ts';

/** The providers that an operator may choose (`AI_PROVIDER`). */
export const providerIds = ['workers-ai', 'openai', 'embedded'] as const;
export type ProviderId = (typeof providerIds)[number];

/** What a provider is shown. */
export interface Picture {
  /** A small JPEG, upright, without watermark and metadata. */
  readonly jpeg: Uint8Array;
  /** Only for providers that ask for it. */
  readonly traits?: PictureTraits;
}

/** Something that describes pictures. One call is one try. */
export interface Provider {
  readonly id: ProviderId;
  /** `model` looks at the JPEG; `measured` works from traits, which cost a decode, and its words need not be doubted. */
  readonly kind: 'model' | 'measured';
  /**
   * The answer in whatever shape it came: text, JSON or an object; untrusted.
   * @throws ProviderError
   */
  answer(request: DescriptionRequest, picture: Picture, signal: AbortSignal): Promise<unknown>;
}

/** A call that brought no answer. `code` is a status or an error number, never the provider's words: those may repeat the prompt. */
export class ProviderError extends Error {
  readonly reason: DescriptionFailure;
  readonly code: string | undefined;

  constructor(reason: DescriptionFailure, code?: string) {
    super(`${reason} ${code ?? ''}`.trim());
    this.name = 'ProviderError';
    this.reason = reason;
    this.code = code;
  }
}
