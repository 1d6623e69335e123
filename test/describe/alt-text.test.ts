import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { altText } from '../../src/describe/alt-text.ts';
import { type Language, languageFacts, languages } from '../../src/describe/language.ts';
import { hostileText } from './hostile-text.ts';

const clusters = (text: string, language: Language) => [
  ...new Intl.Segmenter(languageFacts[language].tag, { granularity: 'grapheme' }).segment(text),
];

/** A sentence of the language that is longer than 80 clusters. */
const longSentences: Record<Language, string> = {
  English: 'Golden retriever puppy running across a wide green meadow with a red ball in its mouth on a sunny morning',
  Español: 'Cachorro de golden retriever corriendo por un prado verde con una pelota roja en la boca una mañana de sol',
  Català:
    'Cadell de golden retriever corrent per un prat verd amb una pilota vermella a la boca un matí de sol a l’estiu',
  Français: 'Chiot golden retriever courant dans une prairie verte avec une balle rouge dans la gueule un matin d’été',
  Deutsch:
    'Golden-Retriever-Welpe läuft mit einem roten Ball im Maul über eine weite grüne Wiese an einem sonnigen Morgen',
  Italiano:
    'Cucciolo di golden retriever che corre in un prato verde con una palla rossa in bocca in una mattina di sole',
  Português:
    'Filhote de golden retriever correndo por um campo verde com uma bola vermelha na boca em uma manhã de sol',
  Nederlands:
    'Golden-retrieverpup rent door een groene wei met een rode bal in zijn bek op een zonnige ochtend in de zomer',
  Polski: 'Szczeniak golden retrievera biegnie przez zieloną łąkę z czerwoną piłką w pysku w słoneczny letni poranek',
  Русский: 'Щенок золотистого ретривера бежит по широкому зелёному лугу с красным мячом в зубах солнечным утром летом',
  中文: '一只金毛犬幼崽在阳光明媚的早晨叼着红色的球跑过宽阔的绿色草地，远处有一座白色的小房子和几棵高大的橡树，天空湛蓝，云朵洁白，孩子们在旁边开心地玩耍，还有一条清澈的小河从旁边缓缓流过去',
  日本語:
    '晴れた朝に赤いボールをくわえて広い緑の芝生を走るゴールデンレトリバーの子犬と、遠くに見える白い家と大きな木々、青い空に浮かぶ白い雲、そして楽しそうに遊んでいる子どもたちと静かに流れる小さな川',
  한국어:
    '화창한 아침에 빨간 공을 입에 물고 넓고 푸른 잔디밭을 가로질러 달리는 골든 리트리버 강아지와 멀리 보이는 하얀 집 그리고 커다란 나무들과 즐겁게 노는 아이들의 모습',
  Arabic: 'جرو من فصيلة غولدن ريتريفر يركض عبر مرج أخضر واسع وفي فمه كرة حمراء في صباح مشمس من أيام الصيف الجميلة',
  Hindi:
    'धूप भरी सुबह में मुँह में लाल गेंद लिए चौड़े हरे मैदान में दौड़ता हुआ गोल्डन रिट्रीवर का पिल्ला और दूर दिखता हुआ सफ़ेद घर तथा ऊँचे पेड़ और खेलते हुए बच्चे जो बहुत खुश हैं',
};

describe('altText in every language', () => {
  it.each(languages)(
    '%s: cuts a long sentence at the end of a word, within 80 characters and near them',
    (language) => {
      const sentence = longSentences[language];
      const cut = altText(sentence, language)!;
      expect(clusters(sentence, language).length).toBeGreaterThan(80);
      expect(clusters(cut, language).length).toBeLessThanOrEqual(80);
      expect(clusters(cut, language).length).toBeGreaterThan(55);
      expect(sentence.normalize('NFC').startsWith(cut)).toBe(true);
      expect(sentence.slice(cut.length)).toMatch(languageFacts[language].spaced ? /^[ ,]/ : /^./u);
      expect(cut).toMatch(/[\p{L}\p{M}]$/u);
    },
  );

  it.each(languages)('%s: keeps a text of exactly 80 characters and capitals where the script has them', (language) => {
    const letter = { Hindi: 'की', Arabic: 'كَ', 中文: '木', 日本語: 'ガ', 한국어: '각' }[language as string] ?? 'b';
    const text = `${letter.repeat(9)} `.repeat(8).slice(0, -1) + letter;
    const kept = altText(text, language)!;
    expect(clusters(kept, language)).toHaveLength(80);
    expect(kept.slice(1)).toBe(text.slice(1));
    expect(kept[0]).toBe(text[0]!.toUpperCase());
  });
});

describe('altText leaves out that it describes a picture', () => {
  it.each<[Language, string, string]>([
    ['English', 'Image of a red car', 'A red car'],
    ['English', 'A photo of a red car', 'A red car'],
    ['English', 'A picture showing a red car', 'A red car'],
    ['English', 'The image shows a red car', 'A red car'],
    ['English', 'This is a black and white photograph of a red car', 'A red car'],
    ['English', 'Alt text: image of: a photo of a red car', 'A red car'],
    ['Español', 'Imagen de un coche rojo', 'Un coche rojo'],
    ['Español', 'Una foto del puerto', 'El puerto'],
    ['Español', 'La imagen muestra un coche rojo', 'Un coche rojo'],
    ['Català', 'Fotografia d’un cotxe vermell', 'Un cotxe vermell'],
    ['Català', 'Imatge dels carrers', 'Els carrers'],
    ['Français', 'Une photo d’une voiture rouge', 'Une voiture rouge'],
    ['Français', 'Image du port', 'Le port'],
    ['Français', 'Cette image montre une voiture rouge', 'Une voiture rouge'],
    ['Deutsch', 'Ein Bild von einem roten Auto', 'Roten Auto'],
    ['Deutsch', 'Das Bild zeigt ein rotes Auto', 'Rotes Auto'],
    ['Deutsch', 'Foto von Pferden', 'Pferden'],
    ['Italiano', 'Una foto di un’auto rossa', 'Un’auto rossa'],
    ['Italiano', 'Immagine della spiaggia', 'La spiaggia'],
    ['Italiano', 'Immagine dell’isola', 'L’isola'],
    ['Português', 'Foto de um carro vermelho', 'Um carro vermelho'],
    ['Português', 'Imagem da praia', 'A praia'],
    ['Nederlands', 'Een foto van een rode auto', 'Een rode auto'],
    ['Nederlands', 'Afbeelding van ijsberen', 'IJsberen'],
    ['Polski', 'Na zdjęciu widać czerwony samochód', 'Czerwony samochód'],
    ['Polski', 'Zdjęcie przedstawia czerwony samochód', 'Czerwony samochód'],
    ['Русский', 'На фотографии изображена красная машина', 'Красная машина'],
    ['Русский', 'Фото красной машины', 'Красной машины'],
    ['中文', '一张红色汽车的照片', '红色汽车'],
    ['中文', '图片显示一辆红色汽车', '一辆红色汽车'],
    ['中文', '照片中是一辆红色汽车。', '一辆红色汽车。'],
    ['日本語', '赤い車の写真', '赤い車'],
    ['日本語', 'この画像には赤い車', '赤い車'],
    ['한국어', '빨간 자동차의 사진', '빨간 자동차'],
    ['한국어', '이 이미지는 빨간 자동차', '빨간 자동차'],
    ['Arabic', 'صورة لسيارة حمراء', 'سيارة حمراء'],
    ['Arabic', 'صورة للميناء', 'الميناء'],
    ['Arabic', 'صورة لندن في الليل', 'لندن في الليل'],
    ['Arabic', 'الصورة تظهر سيارة حمراء', 'سيارة حمراء'],
    ['Hindi', 'लाल कार की तस्वीर', 'लाल कार'],
    ['Hindi', 'तस्वीर में लाल कार', 'लाल कार'],
    ['Hindi', 'Photo of a red car', 'A red car'],
  ])('%s: %s', (language, text, expected) => {
    expect(altText(text, language)).toBe(expected);
  });

  it.each<[Language, string]>([
    ['English', 'Picture frame on a white wall'],
    ['English', 'Photographer beside a lake'],
    ['Deutsch', 'Bildschirm auf einem Schreibtisch'],
    ['Français', 'Imagerie médicale'],
    ['日本語', '写真家と湖'],
    ['한국어', '사진작가와 호수'],
  ])('%s: leaves "%s" as it is', (language, text) => {
    expect(altText(text, language)).toBe(text);
  });
});

describe('altText cleans', () => {
  it.each([
    ['<p>A <b>red</b> car</p><script>alert("x")</script>', 'A red car'],
    ['&lt;script&gt;alert(1)&lt;/script&gt;A red car', 'A red car'],
    ['&amp;lt;img src=x onerror=alert(1)&amp;gt;Red car', 'Red car'],
    ['A red car <img src=x onerror=alert(1)', 'A red car'],
    ['```\nA red car\n```', 'A red car'],
    ['## **A _red_ `car`**', 'A red car'],
    ['[![A red car](a.png)](b)', 'A red car'],
    ['- A red car', 'A red car'],
    ['"A red car."', 'A red car.'],
    ['“A red car”', 'A red car'],
    ['«A red car»', 'A red car'],
    ['"A" and "B"', 'A and B'],
    ['"Stop" sign at a road', '"Stop" sign at a road'],
    ['A red\r\n\tcar\u2028in   town', 'A red car in town'],
    ['A \u202ered\u202c \u2066car\u2069 \u200fhere\u200e', 'A red car here'],
    ['A\u0000 r\u200be\u00add\ufeff\u{e0041} car\ud83d', 'A red car'],
    ['Cafe\u0301', 'Café'],
    [`Z${'\u0335'.repeat(60)}algo`, `Z${'\u0335'.repeat(4)}algo`],
    ['Family 👩‍👩‍👧 ❤️', 'Family 👩‍👩‍👧 ❤️'],
    ['iPhone on a desk', 'iPhone on a desk'],
    ['a red car,', 'A red car'],
  ])('%j', (text, expected) => {
    expect(altText(text, 'English')).toBe(expected);
  });

  it('keeps joiners where Devanagari and Persian words need them, and only there', () => {
    expect(altText('क्‍षमा श्र‌ी', 'Hindi')).toBe('क्‍षमा श्र‌ी');
    expect(altText('می‌خواهم', 'Arabic')).toBe('می‌خواهم');
    expect(altText('re\u200dd', 'English')).toBe('Red');
  });

  it.each(['', '   ', '```\n```', '<br>', '***', '"', '…', '🙂', '\u202e', '\ud800', '।'])(
    'finds nothing to read in %j',
    (text) => {
      expect(altText(text, 'Hindi')).toBeUndefined();
    },
  );

  it('ends at a sentence when that keeps most, and leaves no bracket open', () => {
    const sentences =
      'A red car stands before an old white house by the sea. The sky above it is blue and the sun is shining';
    expect(altText(sentences, 'English')).toBe('A red car stands before an old white house by the sea.');
    const bracket = 'A red car stands before an old white house by the blue sea (photographed from a hill nearby)';
    expect(altText(bracket, 'English')).toBe('A red car stands before an old white house by the blue sea');
  });

  it('cuts a word that is too long between characters', () => {
    expect(altText('👩‍👩‍👧'.repeat(100).concat('x'), 'English')).toBeUndefined();
    expect(altText('e\u0323\u0301'.repeat(100), 'English')).toBe(`Ẹ\u0301${'ẹ\u0301'.repeat(79)}`);
  });
});

describe('altText of any text whatever', () => {
  const rules = (text: string, language: Language) => {
    expect(clusters(text, language).length).toBeLessThanOrEqual(80);
    expect(text.length).toBeLessThanOrEqual(80 * 20);
    expect(text).toBe(text.normalize('NFC').trim());
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/[\p{L}\p{N}]/u);
    expect(text).not.toMatch(
      /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\ufeff<>`*]/u,
    );
    expect(text).not.toMatch(/^(?:an? )?(?:image|photo|picture) (?:of|showing)\b/i);
    expect(text).not.toMatch(/^".*"$/s);
  };

  it.each(languages)('%s: follows the rules or is absent, and is its own result', (language) => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const result = altText(text, language);
        if (result === undefined) return;
        rules(result, language);
        expect(altText(result, language)).toBe(result);
      }),
      { numRuns: 150 },
    );
  });

  it('reads no more than it needs of a megabyte', () => {
    for (const piece of ['<', '<a ', '```', '[', '"', '(', 'image of ', ' \n', '&amp;', '\u0301', 'क्', "d'", 'a.'])
      altText(piece.repeat(1_000_000 / piece.length), 'Français');
    expect(altText(`A red car ${'.'.repeat(1_000_000)}`, 'English')).toBe('A red car');
  });
});
