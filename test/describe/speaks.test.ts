import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/describe/language.ts';
import { speaks } from '../../src/describe/speaks.ts';

const sentences: readonly (readonly [Language, string, string])[] = [
  ['English', 'A golden retriever puppy in the grass', 'golden-retriever-puppy-grass'],
  ['Español', 'Cachorro de perro sobre la hierba', 'cachorro-perro-hierba'],
  ['Català', 'Cadell de gos amb una pilota als peus', 'cadell-gos-pilota'],
  ['Français', 'Chiot couché dans l’herbe haute', 'chiot-herbe-haute'],
  ['Deutsch', 'Hund mit Ball im hohen Gras', 'hund-ball-gras'],
  ['Italiano', 'Cucciolo di cane nel prato', 'cucciolo-cane-prato'],
  ['Português', 'Filhote de cão na grama', 'filhote-cao-grama'],
  ['Nederlands', 'Hond met een bal in het gras', 'hond-bal-gras'],
  ['Polski', 'Szczeniak z piłką na trawie', 'szczeniak-pilka-trawa'],
  ['Русский', 'Щенок золотистого ретривера в траве', 'щенок-ретривера-в-траве'],
  ['中文', '草地上的金毛幼犬', '草地-金毛-幼犬'],
  ['日本語', '草むらのゴールデンレトリバーの子犬', '草むら-子犬-レトリバー'],
  ['한국어', '풀밭에 있는 골든 리트리버 강아지', '풀밭-골든-리트리버'],
  ['Arabic', 'جرو ذهبي بين العشب', 'جرو-ذهبي-بين-العشب'],
  ['Hindi', 'घास में सुनहरा पिल्ला', 'घास-में-सुनहरा-पिल्ला'],
];
const english = 'A puppy with a ball in the grass';

describe.each(sentences)('%s', (language, sentence, name) => {
  test('is recognised in its own sentences and names', () => {
    expect([speaks(sentence, language), speaks(name, language)]).toEqual([true, true]);
  });

  test('may hold names of brands', () => {
    expect(speaks(`Coca-Cola: ${sentence}`, language)).toBe(true);
  });

  test('is not English', () => {
    expect(speaks(english, language)).toBe(language === 'English');
    expect(speaks(english.toLowerCase().replaceAll(' ', '-'), language)).toBe(language === 'English');
  });

  test('is not in another script', () => {
    for (const [other, text] of sentences.slice(9)) {
      const shared = [language, other].every((one) => one === '中文' || one === '日本語');
      if (!shared) expect(speaks(text, language), text).toBe(other === language);
    }
  });
});

test('names without function words may be in any language of their script', () => {
  for (const [language] of sentences.slice(0, 9)) expect(speaks('Labrador Berlin 2024', language)).toBe(true);
});

test('text without letters is in every language', () => {
  expect(speaks('2024', 'Hindi')).toBe(true);
});
