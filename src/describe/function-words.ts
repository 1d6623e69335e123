import type { Language } from './language.ts';

/** Articles, prepositions, conjunctions and particles, in lower case: words that say nothing at the end of a text. */
const TABLE: Readonly<Record<Language, string>> = {
  English:
    'a an the of in on at to from by with without for and or but as into onto over under near between behind is are its his her their this that which while',
  Español:
    'el la los las un una unos unas de del al a en con sin por para y e o u que su sus sobre bajo entre desde hasta es son como lo se',
  Català:
    'el la els les un una uns unes de d del dels al als a en amb sense per i o que seu seva sobre sota entre des fins és són com l s pel',
  Français:
    'le la les l un une des de d du au aux à en dans avec sans pour par et ou que qui sur sous entre son sa ses est sont vers chez ce cette s',
  Deutsch:
    'der die das den dem des ein eine einen einem einer eines und oder mit ohne von vom zu zum zur in im am an auf aus bei für über unter vor hinter neben zwischen ist sind als',
  Italiano:
    'il lo la i gli le l un uno una di d del dello della dei degli delle dell a al allo alla ai agli alle all da dal dalla in nel nella nei nelle nell con su sul sulla sulle per tra fra e o ed che è sono',
  Português:
    'o a os as um uma uns umas de do da dos das d em no na nos nas num numa com sem por pelo pela para e ou que sobre sob entre ao aos à às é são seu sua',
  Nederlands:
    'de het een en of van in op aan met zonder voor door bij naar uit over onder tussen achter naast tot te ten ter om is zijn die dat als',
  Polski:
    'i a oraz lub w we na z ze do od dla po pod nad przed za przez przy między o u bez jest są się który która które',
  Русский:
    'и а или в во на с со к ко из от до для по под над перед за при между о об у без не это как что который которая которые',
  中文: '的 了 着 在 和 与 及 或 是 有 上 下 里 中 一 个 一个 一只 一张 一位 一名 这 那 地 得 被 把 从 以',
  日本語: 'の を が は に へ と で も や から まで より て た し した です ます いる ある この その',
  한국어: '및 또는 그리고 와 과 의 이 그 저 한 위 있는',
  Arabic: 'في من على إلى عن مع أو و ثم بين تحت فوق أمام خلف عند هذا هذه ذلك التي الذي أن هو هي بـ',
  Hindi: 'का की के को में से पर और या एक यह वह है हैं ने तक लिए साथ वाला वाली वाले हुआ हुई हुए जो',
};

const sets = new Map(Object.entries(TABLE).map(([language, words]) => [language, new Set(words.split(' '))]));
const none: ReadonlySet<string> = new Set();

/** The function words of a language, in lower case. An elided article stands without its apostrophe (`l`, `d`). */
export function functionWords(language: Language): ReadonlySet<string> {
  return sets.get(language) ?? none;
}
