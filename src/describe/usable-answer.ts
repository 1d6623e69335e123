import { altText } from './alt-text.ts';
import type { DescriptionRequest } from './description.ts';
import type { Answer } from './parse-answer.ts';
import { DATA_HEAD } from './prompt.ts';
import { seoName } from './seo-name.ts';
import { speaks } from './speaks.ts';

/** Words in a row that are compared with the instructions, and the characters of an answer that are looked at for it. */
const RUN = 4;
const LOOKED_AT = 1000;

/** Results as customers get them: cleaned, within the rules. */
export interface Results {
  readonly altText?: string;
  readonly seoName?: string;
}

/**
 * What of a model's answer can be given to the customer: only what was asked for, cleaned, in the language asked, and not what
 * the model was told over again. Whatever the answer holds, results follow the rules or are absent.
 * @param instructions what the model was told; absent for a describer that is none: its words are the customer's and its own
 */
export function usableAnswer(answer: Answer, request: DescriptionRequest, instructions?: string): Results {
  const { language } = request;
  const kept = (raw: string | undefined, clean: (text: string) => string | undefined): string | undefined => {
    if (raw === undefined) return undefined;
    const text = clean(raw);
    if (text === undefined || instructions === undefined) return text;
    return speaks(text, language) && !repeats(raw, instructions) && !raw.includes(DATA_HEAD) ? text : undefined;
  };
  const alt = kept(answer.altText, (raw) => altText(raw, language));
  const fill = [alt, request.keywords].filter((text) => text !== undefined);
  // Other words complete a name that is too short; where the model gave none there is nothing to complete.
  const name = kept(answer.seoName, (raw) => (/\p{L}/u.test(raw) ? seoName(raw, language, fill) : undefined));
  return {
    ...(request.altText && alt !== undefined && { altText: alt }),
    ...(request.seoName && name !== undefined && { seoName: name }),
  };
}

/** Whether at least half of a text is told by the instructions in the same words. */
function repeats(text: string, instructions: string): boolean {
  const told = new Set(runs(instructions));
  const said = runs(text.slice(0, LOOKED_AT));
  return said.length > 0 && said.filter((run) => told.has(run)).length * 2 >= said.length;
}

/** Every run of so many words. */
function runs(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '));
}
