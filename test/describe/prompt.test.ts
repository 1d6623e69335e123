import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { languageFacts, languages } from '../../src/describe/language.ts';
import { parseAnswer } from '../../src/describe/parse-answer.ts';
import { prompt } from '../../src/describe/prompt.ts';

const both = { altText: true, seoName: true, language: 'English', originalName: 'a.jpg' } as const;

test('the schema has the strings that are asked for and nothing else', () => {
  const string = { type: 'string' };
  expect(prompt(both).schema).toEqual({
    type: 'object',
    properties: { altText: string, seoName: string },
    required: ['altText', 'seoName'],
    additionalProperties: false,
  });
  const one = prompt({ ...both, altText: false });
  expect(one.schema).toMatchObject({ properties: { seoName: string }, required: ['seoName'] });
  expect(one.instructions).not.toContain('altText');
});

test.each(languages)('%s is named in English', (language) => {
  expect(prompt({ ...both, language }).instructions).toContain(languageFacts[language].englishName);
});

describe('the customer’s words', () => {
  test('are one quoted line each, whatever they hold, and never among the instructions', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (originalName, context) => {
        const { data, instructions } = prompt({ ...both, originalName, context });
        const [head, name, said, ...more] = data.split('\n');
        expect(more).toEqual([]);
        expect(head).toMatch(/^Data /);
        expect(name).toMatch(/^file name: "/);
        expect(typeof JSON.parse(name!.slice('file name: '.length))).toBe('string');
        expect(typeof JSON.parse(said!.slice('context: '.length))).toBe('string');
        expect(data.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        expect(instructions).toBe(prompt(both).instructions);
      }),
    );
  });

  test('are cut to 200 characters', () => {
    const { data } = prompt({
      ...both,
      originalName: '🐕'.repeat(5000),
      context: 'x'.repeat(1e6),
      keywords: 'y'.repeat(201),
    });
    const quoted = data
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line.slice(line.indexOf('"'))) as string);
    expect(quoted.map((text) => [...text].length)).toEqual([200, 200, 200]);
  });
});

test('holds nothing that would be an answer if a model repeated it', () => {
  for (const language of languages) {
    const { instructions, data } = prompt({ ...both, language, context: '{"altText":"x"}', keywords: '{' });
    expect(parseAnswer(instructions)).toEqual({});
    expect(parseAnswer(`${instructions}\n${data}`)).toEqual({});
  }
});
