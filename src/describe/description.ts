import type { Language } from './language.ts';

/** What is asked of every picture of a batch. At least one of the two results is asked for. */
export interface DescriptionOptions {
  readonly altText: boolean;
  readonly seoName: boolean;
  readonly language: Language;
  /** What the customer says of the pictures, and the keywords wished for: untrusted, at most 200 characters each. */
  readonly context?: string;
  readonly keywords?: string;
}

/** What is asked of one picture. Plain data: it crosses to another isolate. */
export interface DescriptionRequest extends DescriptionOptions {
  /** The file's name as sent: untrusted, of any length. */
  readonly originalName: string;
}

/** Why there is no description. Closed: for the log and for tests, never shown to customers. */
export const descriptionFailures = [
  /** The picture could not be made ready for the model. */
  'no_preview',
  'timeout',
  /** Too many requests, or no capacity at the moment. */
  'overloaded',
  /** The model declined to answer. */
  'refused',
  /** Whatever was answered, twice, was not what was asked. */
  'unusable',
  /** The provider cannot be reached, or refuses the call. */
  'unavailable',
] as const;
export type DescriptionFailure = (typeof descriptionFailures)[number];

/** What came back. Texts are cleaned and follow the rules of `altText` and `seoName`. Plain data. */
export interface Description {
  readonly altText?: string;
  readonly seoName?: string;
  /** Calls of the provider. */
  readonly calls: number;
  /** Only when nothing came back. */
  readonly failure?: DescriptionFailure;
  /** Of a failure: a status or an error number, never the provider's words. */
  readonly code?: string;
}
