import { altText } from '../alt-text.ts';
import type { Language } from '../language.ts';
import { plainText } from '../plain-text.ts';
import { seoName } from '../seo-name.ts';
import { speaks } from '../speaks.ts';
import type { PictureTraits } from '../traits.ts';
import { wordsOf } from '../words-of.ts';
import { nameTopic } from './name-topic.ts';
import { phrasebookOf } from './phrasebook-of.ts';
import { scenes, tones } from './scene.ts';

/** What the embedded describer knows of a picture. */
export interface EmbeddedRequest {
  readonly traits: PictureTraits;
  readonly language: Language;
  /** What the customer says of the pictures, and the keywords wished for. */
  readonly context?: string;
  readonly keywords?: string;
  /** The name as the customer sent it, with or without an extension. */
  readonly originalName: string;
}

/** UTF-16 units: the strictest of the usual ways to count 80 characters, so that the text is short enough by each. */
const MOST_UNITS = 80;

/** UTF-16 units of a context or of keywords that are looked at: twice what the interface lets through. */
const MOST_WRITTEN = 400;
/** UTF-16 units of it that a name may be made of: more than twice what a name holds. */
const NAMED_UNITS = 160;

/** What the customer wrote, cleaned; absent where it says nothing. */
interface Topics {
  readonly name?: string | undefined;
  readonly context?: string | undefined;
  /** The first of the keywords. */
  readonly keyword?: string | undefined;
}

/**
 * Describes a picture from what was measured of it and from what the customer wrote: the file's name, the context, the first
 * keyword. It is no vision model and names nothing else. The same request always gets the same texts, in the language asked;
 * words of the customer that are not in it are used only beside words that are. `altText` and `seoName` change nothing of them.
 */
export function describeEmbedded(request: EmbeddedRequest): { altText: string; seoName: string } {
  const { traits, language } = request;
  const topics: Topics = {
    name: nameTopic(request.originalName),
    context: said(request.context),
    keyword: said(
      request.keywords
        ?.slice(0, MOST_WRITTEN)
        .split(/[,;|\n，、；،؛]/u)
        .find((part) => said(part) !== undefined),
    ),
  };
  return { altText: firstAltText(topics, traits, language), seoName: firstSeoName(topics, traits, language) };
}

/** A customer's text in one line without its full stop, or undefined when nothing can be read. */
function said(text = ''): string | undefined {
  const plain = plainText(text.slice(0, MOST_WRITTEN)).replace(/[\s.,;:。、，]{1,8}$/u, '');
  return /[\p{L}\p{N}]/u.test(plain) ? plain : undefined;
}

/** The first text that is whole, short enough and in the language: the most telling are tried first. */
function firstAltText(topics: Topics, traits: PictureTraits, language: Language): string {
  const book = phrasebookOf(language);
  const measured = scenes(traits, book).map((scene) => scene.normalize('NFC'));
  const titles = titlesOf(topics);
  const titled = titles.flatMap((topic) =>
    // The topic last and by a function: a customer's `$&` or `{scene}` is no pattern.
    measured.map((scene) => book.titled.replace('{scene}', scene).replace('{topic}', () => topic)),
  );
  const cut = titles.map((topic) => altText(topic, language)).filter((text) => text !== undefined);
  for (const text of [...titled, ...cut, ...measured]) {
    if (text.length > MOST_UNITS) continue;
    const kept = altText(text, language);
    const whole = kept?.toLowerCase() === text.toLowerCase();
    if (kept !== undefined && whole && kept.length <= MOST_UNITS && speaks(kept, language)) return kept;
  }
  // Out of reach: each phrasebook's shortest scene is valid by itself.
  throw new Error(`No scene in ${language} is a valid alt text`);
}

function titlesOf({ name, context, keyword }: Topics): string[] {
  if (name === undefined) return [context ?? keyword].filter((title) => title !== undefined);
  return context === undefined || holds(context, name) || holds(name, context) ? [name] : [`${name}, ${context}`, name];
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** The customer's words where there are three of them, else with the colours, else what was measured. */
function firstSeoName(topics: Topics, traits: PictureTraits, language: Language): string {
  const book = phrasebookOf(language);
  const valid = (text: string) => {
    // Where there is no colour, all is transparent.
    const found = seoName(text, language, traits.colours.length === 0 ? [book.transparent] : []);
    return found !== undefined && speaks(found, language) ? found : undefined;
  };
  const written = writtenNames(topics);
  const coloured = [3, 2, 1].map((most) => tones(traits, book, most)).filter((phrase) => phrase !== '');
  const both = written.flatMap((topic) => coloured.map((phrase) => `${topic} ${phrase}`));
  const measured = scenes({ ...traits, transparent: traits.colours.length === 0 }, book);
  const whole = (text: string) => {
    const found = valid(text);
    return found?.split('-').length === wordsOf(text, language).length ? found : undefined;
  };
  const ended = (text: string) => {
    const found = valid(text);
    return found?.endsWith(wordsOf(text, language).at(-1)!) ? found : undefined;
  };
  // What is shorter and says all that it was meant to say is better than what was cut.
  const found =
    firstOf(written, valid) ??
    firstOf(both, whole) ??
    firstOf(both, valid) ??
    firstOf(measured, ended) ??
    firstOf(measured, valid);
  if (found !== undefined) return found;
  // Out of reach: a scene has words enough.
  throw new Error(`No scene in ${language} makes a valid name`);
}

/** The first that `convert` makes something of. */
function firstOf(texts: readonly string[], convert: (text: string) => string | undefined): string | undefined {
  for (const text of texts) {
    const converted = convert(text);
    if (converted !== undefined) return converted;
  }
  return undefined;
}

/** What the customer wrote, as far as it goes together in a name: the first that has words enough is best. */
function writtenNames({ name, context, keyword }: Topics): string[] {
  const extra = keyword !== undefined && holds(name ?? '', keyword) ? undefined : keyword;
  const combined = [[name, extra], [name, extra, context], [name], [extra ?? context]].map((parts) =>
    parts
      .filter((part) => part !== undefined)
      .join(' ')
      .slice(0, NAMED_UNITS),
  );
  return [...new Set(combined)].filter((text) => text !== '');
}
