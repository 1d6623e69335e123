import { altText } from './alt-text.ts';
import type { DescriptionRequest } from './description.ts';
import type { Answer } from './parse-answer.ts';
import { seoName } from './seo-name.ts';
import { speaks } from './speaks.ts';

/** Letters and digits from which on a text that also stands in the instructions is taken for a repetition of them. */
const ECHO = 16;

/** Results as customers get them: cleaned, within the rules. */
export interface Results {
  readonly altText?: string;
  readonly seoName?: string;
}

/**
 * What of a model's answer can be given to the customer: only what was asked for, cleaned, in the language asked, and not the
 * model's own instructions over again. Whatever the answer holds, results follow the rules or are absent.
 * @param instructions what the model was told
 */
export function usableAnswer(answer: Answer, request: DescriptionRequest, instructions: string): Results {
  const { language } = request;
  const usable = (text: string | undefined): text is string =>
    text !== undefined && speaks(text, language) && !repeats(text, instructions);
  const alt = answer.altText === undefined ? undefined : altText(answer.altText, language);
  const keptAlt = usable(alt) ? alt : undefined;
  const fill = [keptAlt, request.keywords].filter((text) => text !== undefined);
  // Other words complete a name that is too short; where the model gave none there is nothing to complete.
  const named = /\p{L}/u.test(answer.seoName ?? '');
  const name = named ? seoName(answer.seoName ?? '', language, fill) : undefined;
  return {
    ...(request.altText && keptAlt !== undefined && { altText: keptAlt }),
    ...(request.seoName && usable(name) && { seoName: name }),
  };
}

function repeats(text: string, instructions: string): boolean {
  const told = plain(text);
  return told.length >= ECHO && plain(instructions).includes(told);
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
