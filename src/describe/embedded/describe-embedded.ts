import type { Language } from '../language.ts';
import type { PictureTraits } from '../traits.ts';

/** What the embedded describer knows of a picture. */
export interface EmbeddedRequest {
  readonly traits: PictureTraits;
  readonly language: Language;
  readonly context?: string;
  readonly keywords?: string;
  /** The name as the customer sent it, with or without an extension. */
  readonly originalName: string;
}

/** Describes a picture from what is measured and what the customer wrote. It is not a vision model. */
export function describeEmbedded(request: EmbeddedRequest): { altText: string; seoName: string } {
  const shape = request.traits.shape;
  return { altText: `${shape} picture`, seoName: `${shape}-grey-picture` };
}
