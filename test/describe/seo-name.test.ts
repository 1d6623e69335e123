import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Language, languageFacts, languages } from '../../src/describe/language.ts';
import { seoName } from '../../src/describe/seo-name.ts';
import { hostileText } from './hostile-text.ts';

const own: Record<string, string> = {
  Latn: '',
  Cyrl: '\\p{scx=Cyrl}',
  Hans: '\\p{scx=Han}',
  Jpan: '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}',
  Kore: '\\p{scx=Hang}\\p{scx=Han}',
  Arab: '\\p{scx=Arab}',
  Deva: '\\p{scx=Deva}',
};

function rules(name: string, language: Language) {
  const words = name.split('-');
  expect(words.length).toBeGreaterThanOrEqual(3);
  expect(words.length).toBeLessThanOrEqual(8);
  expect(name.length).toBeLessThanOrEqual(60);
  expect(name).toBe(name.normalize('NFC'));
  expect(name).toBe(name.toLowerCase());
  const character = `[${own[languageFacts[language].script]}\\p{scx=Latin}\\p{scx=Zinh}0-9]`;
  for (const word of words) {
    expect(word).toMatch(/^[\p{L}\p{Nd}〇][\p{L}\p{M}\p{Nd}〇]*$/u);
    expect(word).toMatch(new RegExp(`^${character}+$`, 'u'));
  }
}

describe('seoName in every language', () => {
  it.each<[Language, string, string]>([
    ['English', 'Golden Retriever Puppy.jpg', 'golden-retriever-puppy'],
    ['English', "The Dog's Red Ball", 'the-dogs-red-ball'],
    ['Español', 'Ñandú corre por la montaña', 'ñandú-corre-por-la-montaña'],
    ['Català', 'Col·lecció d’art a l’Empordà', 'collecció-art-a-empordà'],
    ['Français', 'L’été à la plage', 'été-à-la-plage'],
    ['Français', 'Aujourd’hui chez grand-mère', 'aujourdhui-chez-grand-mère'],
    ['Deutsch', 'Alte Straße in Köln', 'alte-straße-in-köln'],
    ['Italiano', 'Un’isola nell’oceano più blu', 'isola-oceano-più-blu'],
    ['Português', 'Copo d’água na mesa', 'copo-água-na-mesa'],
    ['Nederlands', 'Foto’s van één kat', 'fotos-van-één-kat'],
    ['Polski', 'Żółta łódź na jeziorze', 'żółta-łódź-na-jeziorze'],
    ['Русский', 'Ёжик ест красное яблоко', 'ёжик-ест-красное-яблоко'],
    ['中文', '一只金毛犬在绿色草地上奔跑', '金毛犬-绿色-草地-奔跑'],
    ['中文', 'iPhone 15 手机壳 红色', 'iphone-15-手机-壳-红色'],
    ['日本語', '緑の芝生を走るゴールデンレトリバーの子犬', '緑-芝生-走る-ゴールデンレトリバー-子犬'],
    ['한국어', '잔디밭을 달리는 강아지', '잔디밭을-달리는-강아지'],
    ['Arabic', 'كَلْبٌ يركض في الحقل الأخضر', 'كَلْبٌ-يركض-في-الحقل-الأخضر'],
    ['Hindi', 'हरे मैदान में दौड़ता कुत्ता', 'हरे-मैदान-में-दौड़ता-कुत्ता'.normalize('NFC')],
  ])('%s: %s', (language, text, expected) => {
    expect(seoName(text, language)).toBe(expected);
    rules(expected, language);
  });

  it.each(languages)('%s: lower case is the same for every locale', (language) => {
    expect(seoName('İstanbul Istanbul TITLE I', language)).toBe('istanbul-istanbul-title-i');
  });

  it('parts the words of 中文 and 日本語 where Intl.Segmenter does', () => {
    for (const [language, text] of [
      ['中文', '北京故宫的红色城墙和金色屋顶'],
      ['日本語', '富士山と桜の美しい風景'],
    ] as const) {
      const ends = new Set<number>([text.length]);
      for (const { index } of new Intl.Segmenter(languageFacts[language].tag, { granularity: 'word' }).segment(text))
        ends.add(index);
      const words = seoName(text, language)!.split('-');
      expect(words.length).toBeGreaterThanOrEqual(4);
      for (const word of words) {
        const at = text.indexOf(word);
        expect(ends.has(at) && ends.has(at + word.length), word).toBe(true);
      }
    }
  });

  it('writes no letter in another script', () => {
    expect(seoName('Москва Köln 東京 باريس paris x', 'English')).toBe('köln-paris-x');
    expect(seoName('Красная Москва Köln 東京', 'Русский')).toBe('красная-москва-köln');
  });

  it('leaves out function words first, then whole words at the end', () => {
    const text = 'the dog is running on a green field in the park with a red ball and a very happy child';
    expect(seoName(text, 'English')).toBe('dog-running-green-field-park-red-ball-very');
    expect(seoName('internationalisation counterrevolutionary uncharacteristically alone', 'English')).toBe(
      'internationalisati-counterrevolutiona-uncharacteristical',
    );
  });

  it('completes a name that is too short from other texts, and has none without them', () => {
    expect(seoName('red car', 'English')).toBeUndefined();
    expect(seoName('red car', 'English', ['A red car in town', 'vintage'])).toBe('red-car-town');
    expect(seoName('', 'English', ['one two three four'])).toBe('one-two-three');
    expect(seoName('con', 'English', ['the', 'aux'])).toBeUndefined();
  });

  it.each(['con', 'PRN.png', 'aux.jpg', 'com1', '', '...', '../../etc', '\u202e'])(
    'never names a file %j alone',
    (text) => {
      expect(seoName(text, 'English')).toBeUndefined();
    },
  );

  it('drops the extension and what models put around a name', () => {
    expect(seoName('`red-car-town.WEBP`', 'English')).toBe('red-car-town');
    expect(seoName('"red_car_in_town.jpeg".', 'English')).toBe('red-car-in-town');
    expect(seoName('<script>red</script> ../../red car\u202egpj.town', 'English')).toBe('red-cargpj-town');
  });
});

describe('seoName of any text whatever', () => {
  it.each(languages)('%s: follows the rules or is absent, and is its own result', (language) => {
    fc.assert(
      fc.property(hostileText, hostileText, (text, fill) => {
        const name = seoName(text, language, [fill]);
        if (name === undefined) return;
        rules(name, language);
        expect(seoName(name, language)).toBe(name);
      }),
      { numRuns: 150 },
    );
  });
});
