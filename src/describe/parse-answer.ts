import { z } from 'zod';

/** Characters that are looked at: an honest answer has a few hundred. */
const LONGEST = 20_000;
/** Places at which an object may begin that are tried. */
const STARTS = 20;

const answerShape = z.object({
  altText: z.string().optional().catch(undefined),
  seoName: z.string().optional().catch(undefined),
});
/** The strings that an answer may hold, as the model wrote them: still untrusted. */
export type Answer = z.output<typeof answerShape>;

/**
 * Finds the object that was asked for in what a model answered: an object, JSON, JSON in a code fence or within other text.
 * Of several objects in a text the last one that holds what was asked counts: a model may think aloud before it answers.
 * @returns an empty object when there is none
 */
export function parseAnswer(answer: unknown): Answer {
  if (typeof answer === 'string') return fromText(answer.slice(0, LONGEST)) ?? {};
  return fromObject(answer) ?? {};
}

function fromObject(value: unknown): Answer | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const parsed = answerShape.safeParse(value);
  if (!parsed.success) return undefined;
  const found = Object.fromEntries(Object.entries(parsed.data).filter(([, text]) => text !== undefined)) as Answer;
  return Object.keys(found).length > 0 ? found : undefined;
}

function fromText(text: string): Answer | undefined {
  const whole = fromJson(text);
  if (whole !== undefined) return whole;
  let tried = 0;
  for (let at = text.lastIndexOf('{'); at >= 0 && tried < STARTS; at = at > 0 ? text.lastIndexOf('{', at - 1) : -1) {
    tried++;
    const end = objectEnd(text, at);
    const found = end === undefined ? undefined : fromJson(text.slice(at, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

function fromJson(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Some servers encode the model's text once more.
    return typeof value === 'string' && value.length < text.length ? fromText(value) : fromObject(value);
  } catch {
    return undefined;
  }
}

/** Behind the brace that closes the object which begins at `start`; braces in strings do not count. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}
