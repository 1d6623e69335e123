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
    keyword: said(request.keywords?.split(/[,;|\n，、；،؛]/u).find((part) => said(part) !== undefined)),
  };
  return { altText: firstAltText(topics, traits, language), seoName: firstSeoName(topics, traits, language) };
}

/** A customer's text in one line without its full stop, or undefined when nothing can be read. */
function said(text = ''): string | undefined {
  const plain = plainText(text).replace(/[\s.,;:。、，]{1,8}$/u, '');
  return /[\p{L}\p{N}]/u.test(plain) ? plain : undefined;
}

/** The first text that is whole, short enough and in the language: the most telling are tried first. */
function firstAltText(topics: Topics, traits: PictureTraits, language: Language): string {
  const book = phrasebookOf(language);
  const measured = scenes(traits, book);
  const titles = titlesOf(topics);
  const titled = titles.flatMap((topic) =>
    // As functions: a customer's `$&` is no pattern.
    measured.map((scene) => book.titled.replace('{topic}', () => topic).replace('{scene}', () => scene)),
  );
  for (const text of [...titled, ...titles, ...measured]) {
    const kept = altText(text, language);
    const whole = kept?.toLowerCase() === text.normalize('NFC').toLowerCase();
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
  // A phrase that is not whole has lost what joined its words.
  const whole = both.filter((text) => valid(text)?.split('-').length === wordsOf(text, language).length);
  for (const text of [...written, ...whole, ...both, ...scenes(traits, book)]) {
    const found = valid(text);
    if (found !== undefined) return found;
  }
  // Out of reach: a scene has words enough.
  throw new Error(`No scene in ${language} makes a valid name`);
}

/** What the customer wrote, as far as it goes together in a name: the first that has words enough is best. */
function writtenNames({ name, context, keyword }: Topics): string[] {
  const extra = keyword !== undefined && holds(name ?? '', keyword) ? undefined : keyword;
  const combined = [[name, extra], [name, extra, context], [name], [extra ?? context]].map((parts) =>
    parts.filter((part) => part !== undefined).join(' '),
  );
  return [...new Set(combined)].filter((text) => text !== '');
}
