import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DescriptionRequest } from '../../src/describe/description.ts';
import { languages } from '../../src/describe/language.ts';
import { parseAnswer } from '../../src/describe/parse-answer.ts';
import { prompt } from '../../src/describe/prompt.ts';
import { usableAnswer } from '../../src/describe/usable-answer.ts';

const request: DescriptionRequest = { altText: true, seoName: true, language: 'English', originalName: 'a.jpg' };
const good = { altText: 'Red barn under a blue sky', seoName: 'red-barn-blue-sky' };
const { instructions } = prompt(request);
const use = (answer: object, more: Partial<DescriptionRequest> = {}) =>
  usableAnswer(parseAnswer(answer), { ...request, ...more }, instructions);

test('only what was asked for is given', () => {
  expect(use(good)).toEqual(good);
  expect(use(good, { seoName: false })).toEqual({ altText: good.altText });
  expect(use(good, { altText: false })).toEqual({ seoName: good.seoName });
});

test('a name of too few words is completed from the alt text and the keywords, one of no words is not', () => {
  const { seoName } = use({ altText: good.altText, seoName: 'barn' });
  expect(seoName).toMatch(/^barn-.+-/);
  expect(use({ seoName: 'barn' }, { keywords: 'farm, countryside' }).seoName).toMatch(/^barn-.+-/);
  expect(use({ seoName: '--- 2024' }, { keywords: 'farm, red, countryside' })).toEqual({});
});

test('the data over again are not given; a phrase of the context may be', () => {
  const { data } = prompt({ ...request, context: 'A red barn' });
  expect(use({ altText: data, seoName: data })).toEqual({});
  expect(use({ altText: 'A red barn under the sky' }, { context: 'A red barn under the sky' })).not.toEqual({});
});

test('the instructions over again, whole or in part, are not given', () => {
  for (const line of instructions.split('\n')) expect(use({ altText: line, seoName: line })).toEqual({});
  expect(use({ altText: `Okay. ${instructions.slice(0, 300)}` })).toEqual({});
});

/** The rules of the interface for both results. */
function checkRules({ altText, seoName }: ReturnType<typeof use>): void {
  if (altText !== undefined) {
    expect([...new Intl.Segmenter().segment(altText)].length).toBeLessThanOrEqual(80);
    expect(altText).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]|^\s|\s$|^$/u);
    expect(altText.isWellFormed()).toBe(true);
  }
  if (seoName === undefined) return;
  expect(seoName).toMatch(/^[\p{L}\p{M}\p{N}\u200c\u200d]+(-[\p{L}\p{M}\p{N}\u200c\u200d]+){2,7}$/u);
  expect([...seoName].length).toBeLessThanOrEqual(60);
  expect(seoName).toBe(seoName.toLowerCase().normalize('NFC'));
}

describe('any model output whatever follows the rules or is left out:', () => {
  const language = fc.constantFrom(...languages);
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.lorem({ maxCount: 60 }),
    fc.constantFrom(
      ...Object.values(good),
      'con',
      '<b>x</b> y z',
      '草地上的金毛幼犬',
      'घास में सुनहरा पिल्ला',
      'Image of İSTANBUL I',
    ),
  );

  test('two strings', () => {
    fc.assert(
      fc.property(language, anyText, anyText, anyText, (asked, altText, seoName, keywords) => {
        checkRules(use({ altText, seoName }, { language: asked, keywords }));
      }),
      { numRuns: 300 },
    );
  });

  test('any value, any text, any text around an answer', () => {
    const output = fc.oneof(
      fc.anything(),
      anyText,
      fc
        .tuple(anyText, anyText, anyText)
        .map(([before, alt, after]) => `${before}${JSON.stringify({ altText: alt, seoName: alt })}${after}`),
    );
    fc.assert(
      fc.property(language, output, (asked, answer) => {
        checkRules(usableAnswer(parseAnswer(answer), { ...request, language: asked }, instructions));
      }),
      { numRuns: 300 },
    );
  });
});
