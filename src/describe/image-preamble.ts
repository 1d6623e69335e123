import type { Language } from './language.ts';

/** A pattern of what to take away, and what stays of it: a contraction leaves its article. */
type Rule = readonly [pattern: RegExp, rest: string];

const rule = (pattern: string, rest = ''): Rule => [new RegExp(pattern, 'iu'), rest];

/** What a word ends with: `\b` knows only ASCII letters. */
const END = '(?![\\p{L}\\p{M}\\p{N}])';

/** Labels that models put in front, in any language, and the names of pictures used as a label. */
const LABELS = [
  'alt(?:ernative)?[ -]?text',
  'texto alternativo',
  'text alternatiu',
  'texte alternatif',
  'alternativtext',
  'testo alternativo',
  'alternatieve tekst',
  'tekst alternatywny',
  'альтернативный текст',
  '替代文本',
  '替代文字',
  '代替テキスト',
  '대체 텍스트',
  'النص البديل',
  'वैकल्पिक पाठ',
  'image|picture|photo|photograph|imagen|imatge|bild|immagine|imagem|afbeelding|obraz|zdjęcie|изображение|фото|图片|照片|图像|画像|写真|이미지|사진|صورة|الصورة|चित्र|तस्वीर|छवि',
].join('|');
const LABEL = rule(`^(?:${LABELS}) ?(?:[:：]| [-–—] )[ ]?`);

const PICTURE_EN = '(?:image|images|photo|photos|photograph|picture|pictures|pic|snapshot)';
const ENGLISH: readonly Rule[] = [
  rule(
    `^(?:(?:here is|here's|this is|there is|it is|it's) )?(?:(?:an?|the|this) )?(?:(?:black[ -]and[ -]white|colou?r|stock|digital|close[ -]up|beautiful|detailed) )*${PICTURE_EN} (?:of|(?:that )?(?:shows|depicts|features|captures|contains)|showing|depicting|featuring|capturing|containing)${END} ?`,
  ),
  rule(`^in (?:the|this) ${PICTURE_EN},? (?:(?:we|you) (?:can )?see|there (?:is|are))${END} ?`),
];

const PICTURE_ES = '(?:imagen|imágenes|foto|fotos|fotografía|fotografías)';
const PICTURE_CA = '(?:imatge|imatges|foto|fotos|fotografia|fotografies)';
const PICTURE_FR = '(?:image|images|photo|photos|photographie)';
const PICTURE_DE = '(?:bild|bilder|foto|fotos|fotografie|aufnahme|abbildung)';
const PICTURE_IT = '(?:immagine|immagini|foto|fotografia)';
const PICTURE_PT = '(?:imagem|imagens|foto|fotos|fotografia)';
const PICTURE_NL = '(?:afbeelding|afbeeldingen|foto|foto’s|plaatje|beeld)';
const PICTURE_PL = '(?:zdjęcie|zdjęcia|obraz|obrazek|fotografia|fotka)';
const PICTURE_RU = '(?:изображение|фото|фотография|картинка|снимок)';
const PICTURE_RU_LOCATIVE = '(?:изображении|фото|фотографии|картинке|снимке)';
const PICTURE_ZH = '(?:图片|照片|图像|相片|圖片|圖像|影像)';
const PICTURE_JA = '(?:画像|写真|イメージ)';
const PICTURE_KO = '(?:이미지|사진|그림)';
const PICTURE_AR = '(?:صورة|الصورة|صور|لقطة)';
const PICTURE_HI = '(?:तस्वीर|चित्र|छवि|फ़ोटो|फोटो|इमेज)';
/** Arabic words whose first letter looks like the preposition `ل` and is not. */
const LAM_WORDS = '(?!ل(?:ندن|بنان|يبيا|وحة|عبة|ون|حم|يل|يمون|اعب|غة|باس|ؤلؤ|قطة))';

/** By language; the first rule that fits is applied. What stays keeps the case that the preposition gave it. */
const RULES: Readonly<Record<Language, readonly Rule[]>> = {
  English: [],
  Español: [
    rule(`^(?:en )?(?:esta |esto es |la |una )*${PICTURE_ES} (?:que )?(?:se (?:ve|muestra)|muestra|mostrando)${END} ?`),
    rule(`^(?:esta es |la |una )*${PICTURE_ES} del${END}`, 'el'),
    rule(`^(?:esta es |la |una )*${PICTURE_ES} de${END} ?`),
  ],
  Català: [
    rule(`^(?:en )?(?:aquesta |la |una )*${PICTURE_CA} (?:que )?(?:es (?:veu|mostra)|mostra|mostrant)${END} ?`),
    rule(`^(?:la |una )*${PICTURE_CA} del(s?)${END}`, 'el$1'),
    rule(`^(?:la |una )*${PICTURE_CA} (?:de${END} ?|d['’])`),
  ],
  Français: [
    rule(
      `^(?:(?:cette|c['’]est une|voici une|la|une|l['’]) ?)*${PICTURE_FR} (?:qui )?(?:montre|montrant|représente|représentant)${END} ?`,
    ),
    rule(`^(?:(?:c['’]est une|voici une|la|une|l['’]) ?)*${PICTURE_FR} du${END}`, 'le'),
    rule(`^(?:(?:c['’]est une|voici une|la|une|l['’]) ?)*${PICTURE_FR} (?:de${END} ?|d['’])`),
    rule(`^sur (?:cette |la |l['’])${PICTURE_FR},? on (?:peut )?voit?r?${END} ?`),
  ],
  // The article goes with its preposition: what stays would otherwise begin in the dative.
  Deutsch: [
    rule(
      `^(?:(?:das|dieses|ein|eine|die|diese|hier ist ein) )*${PICTURE_DE} (?:zeigt|zeigend)${END} ?(?:(?:einen|eine|ein|den|die|das)${END} ?)?`,
    ),
    rule(
      `^(?:(?:das|ein|eine|die|dies ist ein|hier ist ein) )*${PICTURE_DE} (?:von|vom|mit|eines|einer|des|der)${END} ?(?:(?:einem|einer|einen|dem|der|den)${END} ?)?`,
    ),
    rule(
      `^auf (?:dem|diesem|der|dieser) ${PICTURE_DE} (?:ist|sind|sieht man)${END} ?(?:(?:einen|eine|ein|den|die|das|der)${END} ?)?`,
    ),
  ],
  Italiano: [
    rule(
      `^(?:(?:questa|questa è una|la|una|un['’]|l['’]) ?)*${PICTURE_IT} (?:che )?(?:mostra|raffigura|ritrae|mostrante|raffigurante)${END} ?`,
    ),
    rule(`^(?:(?:la|una|un['’]|l['’]) ?)*${PICTURE_IT} del${END}`, 'il'),
    rule(`^(?:(?:la|una|un['’]|l['’]) ?)*${PICTURE_IT} dell(['’]|o|a|e)`, 'l$1'),
    rule(`^(?:(?:la|una|un['’]|l['’]) ?)*${PICTURE_IT} de(i|gli)${END}`, '$1'),
    rule(`^(?:(?:la|una|un['’]|l['’]) ?)*${PICTURE_IT} (?:di${END} ?|d['’])`),
  ],
  Português: [
    rule(`^(?:(?:esta|a|uma|na|nesta) )*${PICTURE_PT} (?:que )?(?:mostra|mostrando|retrata|vê-se)${END} ?`),
    rule(`^(?:(?:esta é|a|uma) )*${PICTURE_PT} d(o|a|os|as|um|uma)${END}`, '$1'),
    rule(`^(?:(?:esta é|a|uma) )*${PICTURE_PT} de${END} ?`),
  ],
  Nederlands: [
    rule(`^(?:(?:deze|dit|de|het|een) )*${PICTURE_NL} (?:van|toont|met|waarop)${END} ?`),
    rule(`^op (?:de|deze|het|dit) ${PICTURE_NL} (?:is|zijn|zie je|staat|staan)${END} ?`),
  ],
  Polski: [
    rule(`^na (?:tym )?(?:zdjęciu|obrazie|obrazku|fotografii) (?:widać|znajduje się|jest|przedstawiono)${END} ?`),
    rule(
      `^(?:to |ten )?${PICTURE_PL} (?:przedstawia|przedstawiające|przedstawiający|przedstawiająca|pokazuje)${END} ?`,
    ),
    rule(`^${PICTURE_PL} (?=\\p{L})`),
  ],
  Русский: [
    rule(
      `^на (?:этом |этой )?${PICTURE_RU_LOCATIVE} (?:изображен[аоы]?|показан[аоы]?|запечатл[её]н[аоы]?|видн[аоы]?|видно)${END} ?`,
    ),
    rule(`^(?:эт[оа] )?${PICTURE_RU},? (?:на котор(?:ом|ой) )?(?:с изображением|показывает|изображает)${END} ?`),
    rule(`^${PICTURE_RU} (?=\\p{L})`),
  ],
  中文: [
    rule(
      `^(?:在?(?:这张|这幅|该|此)?${PICTURE_ZH}(?:上|中|里)?)(?:是|显示了?|展示了?|显示的是|展现了?|描绘了?|：|:|，) ?`,
    ),
    rule(`^(?:这是)?(?:一张|一幅|一个)(?:关于)?(.+)的${PICTURE_ZH}(?=[。.]?$)`, '$1'),
    rule(`的${PICTURE_ZH}[。.]?$`),
  ],
  日本語: [
    rule(`^(?:この|その)?${PICTURE_JA}(?:は、?|には、?|では、?|に写っているのは、?|：|:) ?`),
    rule(`(?:の|を写した|が写った|が写っている|を撮影した)${PICTURE_JA}(?:です)?[。.]?$`),
  ],
  한국어: [
    rule(`^(?:이 )?${PICTURE_KO}(?:은|는|에는|에서는| 속에는?|:) ?`),
    rule(`(?:의|[을를] (?:담은|보여주는|찍은)) ${PICTURE_KO}(?:입니다)?[.]?$`),
  ],
  Arabic: [
    rule(`^(?:هذه )?${PICTURE_AR} (?:(?:ال)?فوتوغرافية )?(?:تُ?ظهر|تُ?بين|تُ?بيّن|توضح|تعرض|تمثل|فيها|من)${END} ?`),
    rule(`^(?:هذه )?${PICTURE_AR} (?:فوتوغرافية )?(?:لل)(?=\\p{L}{2})`, 'ال'),
    rule(`^(?:هذه )?${PICTURE_AR} (?:فوتوغرافية )?${LAM_WORDS}ل(?=\\p{L}{2})`),
    rule('^(?:هذه )?صورة (?:فوتوغرافية )?(?=\\p{L})'),
  ],
  Hindi: [
    rule(`^(?:इस |यह )?${PICTURE_HI} (?:में|है|दिखाती है|दिखाता है)(?:${END}|,) ?`),
    rule(`(?: (?:की|का|के))? (?:एक )?${PICTURE_HI}(?: है)?[।.]?$`),
  ],
};

/**
 * The text without words at its start that only say that it describes a picture ("image of", "photo showing"), or at its end in
 * languages that put them there. A screen reader says as much by itself (W3C, WAI Images Tutorial). English ones are looked for
 * in every language, since models fall back into it. Repeated until none is left.
 * @param text one line, not blank at its ends
 */
export function withoutPreamble(text: string, language: Language): string {
  const rules = [LABEL, ...ENGLISH, ...RULES[language]];
  for (let rest = text; ; ) {
    const next = applyFirst(rest, rules);
    if (next === rest) return rest;
    rest = next;
  }
}

function applyFirst(text: string, rules: readonly Rule[]): string {
  for (const [pattern, rest] of rules) {
    const next = text.replace(pattern, rest).trim();
    if (next.length < text.length) return next;
  }
  return text;
}
