import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { altText } from '../../../src/describe/alt-text.ts';
import { type ColourName, colourNames } from '../../../src/describe/colour-name.ts';
import { describeEmbedded } from '../../../src/describe/embedded/describe-embedded.ts';
import { type Language, languages } from '../../../src/describe/language.ts';
import { seoName } from '../../../src/describe/seo-name.ts';
import { speaks } from '../../../src/describe/speaks.ts';
import type { PictureTraits } from '../../../src/describe/traits.ts';
import { hostileText } from '../hostile-text.ts';

const shapes = ['landscape', 'portrait', 'square', 'panorama'] as const;
const levels = ['dark', 'medium', 'bright'] as const;

/** Every shape, brightness and transparency, with every colour in every place. */
function* manyTraits(): Generator<PictureTraits> {
  for (const [shift, shape] of shapes.entries())
    for (const brightness of levels)
      for (const transparent of [false, true])
        for (const [place, colour] of colourNames.entries()) {
          const other = (step: number): ColourName => colourNames[(place + step) % colourNames.length]!;
          const colours = [colour, other(shift + 1), other(shift + 6)].slice(0, 1 + ((place + shift) % 3));
          yield { shape, brightness, transparent, colours };
        }
  for (const shape of shapes) yield { shape, brightness: 'medium', transparent: true, colours: [] };
}

const bright: PictureTraits = {
  shape: 'landscape',
  colours: ['green', 'blue'],
  brightness: 'bright',
  transparent: false,
};

function expectValid(result: { altText: string; seoName: string }, language: Language) {
  expect(altText(result.altText, language)).toBe(result.altText);
  expect(result.altText.length).toBeLessThanOrEqual(80);
  expect(speaks(result.altText, language)).toBe(true);
  expect(seoName(result.seoName, language)).toBe(result.seoName);
  expect(speaks(result.seoName, language)).toBe(true);
}

describe('describeEmbedded', () => {
  it.each(languages)(
    '%s: its texts follow the rules whatever was measured, and say different things of different pictures',
    (language) => {
      const said = new Set<string>();
      let count = 0;
      for (const traits of manyTraits()) {
        const result = describeEmbedded({ traits, language, originalName: 'IMG_0001.JPG' });
        expectValid(result, language);
        expect(result.altText).not.toMatch(/[{}]|undefined/);
        said.add(result.altText);
        count++;
      }
      expect(said.size).toBeGreaterThan(count * 0.6);
    },
  );

  it.each<[Language, string, string]>([
    [
      'English',
      'Bright landscape-format composition in green and blue tones',
      'bright-landscape-format-composition-green-blue-tones',
    ],
    [
      'Español',
      'Composición luminosa en formato horizontal, en tonos verdes y azules',
      'composición-luminosa-formato-horizontal-tonos-verdes-azules',
    ],
    [
      'Català',
      'Composició lluminosa en format horitzontal, en tons verds i blaus',
      'composició-lluminosa-format-horitzontal-tons-verds-blaus',
    ],
    [
      'Français',
      'Composition lumineuse au format paysage, dans des tons verts et bleus',
      'composition-lumineuse-format-paysage-tons-verts-bleus',
    ],
    [
      'Deutsch',
      'Helles Motiv im Querformat, überwiegend in Grün und Blau',
      'helles-motiv-querformat-überwiegend-grün-blau',
    ],
    [
      'Italiano',
      'Composizione luminosa in formato orizzontale, nei toni del verde e del blu',
      'composizione-luminosa-formato-orizzontale-toni-verde-blu',
    ],
    [
      'Português',
      'Composição luminosa em formato horizontal, em tons de verde e azul',
      'composição-luminosa-formato-horizontal-tons-verde-azul',
    ],
    [
      'Nederlands',
      'Lichte compositie in liggend formaat, in groene en blauwe tinten',
      'lichte-compositie-liggend-formaat-groene-blauwe-tinten',
    ],
    [
      'Polski',
      'Jasna kompozycja w układzie poziomym, w zielonych i niebieskich barwach',
      'jasna-kompozycja-w-układzie-poziomym-w-zielonych-barwach',
    ],
    [
      'Русский',
      'Светлая горизонтальная композиция в зелёных и синих тонах',
      'светлая-горизонтальная-композиция-в-зелёных-и-синих-тонах',
    ],
    ['中文', '以绿色和蓝色为主的明亮横向构图', '绿色-蓝色-为主-明亮-横向-构图'],
    ['日本語', '緑と青を基調とした明るい横長の構図', '緑-青-基調-明るい-横長-構図'],
    ['한국어', '초록색과 파란색 톤의 밝은 가로형 구도', '초록색과-파란색-톤의-밝은-가로형-구도'],
    ['Arabic', 'تكوين أفقي ساطع بدرجات الأخضر والأزرق', 'تكوين-أفقي-ساطع-بدرجات-الأخضر-والأزرق'],
    ['Hindi', 'हरे और नीले रंगों में उजली क्षैतिज रचना', 'हरे-और-नीले-रंगों-में-उजली-क्षैतिज-रचना'],
  ])('%s: says what was measured', (language, alt, name) => {
    expect(describeEmbedded({ traits: bright, language, originalName: 'DSC_0042.png' })).toEqual({
      altText: alt,
      seoName: name,
    });
  });

  it.each(languages)('%s: puts the words of the file name first, even in another language', (language) => {
    const result = describeEmbedded({ traits: bright, language, originalName: 'golden-retriever-puppy.jpg' });
    expect(result.altText).toMatch(/^Golden retriever puppy(?: – |（)./u);
    expect(result.seoName).toMatch(/^golden-retriever-puppy/);
    expectValid(result, language);
  });

  it('uses the context and the first keyword', () => {
    const request = {
      traits: bright,
      language: 'English',
      context: 'Holidays at the sea.',
      keywords: ' , mallorca, travel',
    } as const;
    expect(describeEmbedded({ ...request, originalName: 'IMG_1.png' })).toEqual({
      altText: 'Holidays at the sea – bright landscape-format composition in green tones',
      seoName: 'mallorca-holidays-at-the-sea',
    });
    expect(describeEmbedded({ ...request, originalName: 'beach.png' }).altText).toMatch(
      /^Beach, Holidays at the sea – /,
    );
  });

  it('keeps the beginning of what is too long to be said beside what was measured', () => {
    const context =
      'Handmade ceramic bowls from a small workshop in the hills of Umbria, photographed in natural light';
    const result = describeEmbedded({ traits: bright, language: 'English', originalName: 'IMG_1.png', context });
    expect(result.altText).toBe('Handmade ceramic bowls from a small workshop in the hills of Umbria');
    expect(result.seoName).toBe('handmade-ceramic-bowls-small-workshop-hills-umbria');
  });

  it('takes nothing that a customer writes for a pattern', () => {
    const result = describeEmbedded({
      traits: bright,
      language: 'English',
      originalName: '',
      context: "$& {scene} $' cat",
    });
    expect(result.altText).toMatch(/^\$& \{scene\} \$' cat – bright/);
  });

  it.each(languages)('%s: whatever the customer writes, the texts follow the rules and stay the same', (language) => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (originalName, context, keywords) => {
        const request = { traits: bright, language, originalName, context, keywords };
        const result = describeEmbedded(request);
        expectValid(result, language);
        expect(describeEmbedded(request)).toEqual(result);
      }),
      { numRuns: 25 },
    );
  });
});
