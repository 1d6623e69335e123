import { type Language, languageFacts } from './language.ts';

const scripts = {
  Latn: /\p{Script=Latin}/gu,
  Cyrl: /\p{Script=Cyrillic}/gu,
  Hans: /\p{Script=Han}/gu,
  Jpan: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Kore: /\p{Script=Hangul}/gu,
  Arab: /\p{Script=Arabic}/gu,
  Deva: /\p{Script=Devanagari}/gu,
} as const;

/**
 * The share of a text's letters that are at least of the language's script. Names of brands and places are often Latin in any
 * language, and one Han or Hangul character says as much as several Latin letters; a text in Latin has little reason for others.
 */
const LEAST_SHARE = { Latn: 0.5, others: 0.15 } as const;

/** Frequent function words of the languages in Latin script. Several stand in more than one list. */
const functionWords: Partial<Record<Language, ReadonlySet<string>>> = {
  English: words(
    'the a an and of with in on at by for from to is are its his her their into over under near behind next',
  ),
  Español: words('el la los las un una unos unas y de del con en sobre por para al junto su sus entre bajo tras desde'),
  Català: words(
    'el la els les un una uns unes i de del dels amb en sobre per al als a dins seu seva entre sota darrere des',
  ),
  Français: words('le la les un une des et de du avec dans sur en au aux par pour son sa ses sous devant entre près à'),
  Deutsch: words(
    'der die das den dem des ein eine einen einem einer und mit von vom in im auf am an zur zum vor für über unter neben bei',
  ),
  Italiano: words(
    'il lo la i gli le un una uno e di del della dei con in nel nella su sul sulla da dal per tra sotto davanti al alla',
  ),
  Português: words(
    'o a os as um uma uns umas e de do da dos das com em no na nos nas sobre por para ao à sob entre seu sua',
  ),
  Nederlands: words(
    'de het een en van met in op aan bij voor naar uit onder over naast tussen zijn haar achter door te',
  ),
  Polski: words('i z ze w we na do od o u za pod nad przed przy po dla przez między obok jest są się oraz'),
};

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/**
 * Whether a short text can be in the language: by its script, and among languages in Latin script by function words: a text
 * with two of another language and none of this one is in that other language. A text without any may be in each of them.
 */
export function speaks(text: string, language: Language): boolean {
  return inScript(text, language) && !inAnotherLatinLanguage(text, language);
}

function inScript(text: string, language: Language): boolean {
  const { script } = languageFacts[language];
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own = text.match(scripts[script])?.length ?? 0;
  return own >= letters * (script === 'Latn' ? LEAST_SHARE.Latn : LEAST_SHARE.others);
}

function inAnotherLatinLanguage(text: string, language: Language): boolean {
  const own = functionWords[language];
  if (own === undefined) return false;
  const found = new Set(text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []);
  const count = (list: ReadonlySet<string>) => [...found].filter((word) => list.has(word)).length;
  return count(own) === 0 && Object.values(functionWords).some((other) => count(other) >= 2);
}
