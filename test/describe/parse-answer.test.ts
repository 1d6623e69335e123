import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAnswer } from '../../src/describe/parse-answer.ts';

const wanted = { altText: 'a "b" {c}', seoName: 'd-e-f' };
const json = JSON.stringify(wanted);

test.each<[string, unknown]>([
  ['an object', { ...wanted, more: 1 }],
  ['JSON', json],
  ['JSON with spaces around', `\n ${json}\n`],
  ['fenced JSON', `\`\`\`json\n${json}\n\`\`\``],
  ['JSON within text', `Here: ${json} {ok}`],
  ['JSON behind other objects', `{"a":1} {"altText":"draft"} ${json}`],
  ['JSON in a JSON string', JSON.stringify(json)],
])('%s is understood', (_, answer) => {
  expect(parseAnswer(answer)).toEqual(wanted);
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a number', 5],
  ['a list of answers', [wanted]],
  ['an empty text', ''],
  ['an object that does not end', json.slice(0, -1)],
  ['strings of another type', { altText: ['a'], seoName: 1 }],
  ['an object that lies too far back', `${' '.repeat(20_000)}${json}`],
])('%s is no answer', (_, answer) => {
  expect(parseAnswer(answer)).toEqual({});
});

test('a string of the wrong type does not take the other one with it', () => {
  expect(parseAnswer({ altText: 'a', seoName: 7 })).toEqual({ altText: 'a' });
});

test('any value gives strings or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string({ unit: 'binary' }), fc.json()), (answer) => {
      for (const text of Object.values(parseAnswer(answer))) expect(text).toBeTypeOf('string');
    }),
  );
});

test('many braces do not take long', () => {
  for (const text of ['{'.repeat(1e6), '{"'.repeat(5e5), '{}'.repeat(5e5), '"{'.repeat(5e5), '\\"'.repeat(5e5)]) {
    expect(parseAnswer(text)).toEqual({});
  }
});
