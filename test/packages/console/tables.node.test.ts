import { expect, test } from 'vitest';
import { english, type Message, type Messages } from '../../../packages/console/src/language/english.ts';
import { bestLanguage, languages, languageTags } from '../../../packages/console/src/language/languages.ts';
import { languageFacts } from '../../../src/describe/language.ts';

const texts = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message));
const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

test('the languages are the contract’s', () => {
  const tags = Object.values(languageFacts).map(({ tag }) => tag);
  expect([...languageTags].sort()).toEqual([...tags].sort());
});

test.for(languageTags.filter((tag) => tag !== 'en'))('the table of %s is whole', async (tag) => {
  const table = (await languages[tag].load()) as Messages;
  expect(Object.keys(table).sort()).toEqual(Object.keys(english).sort());
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
  for (const [key, message] of Object.entries(table)) {
    const original: Message = english[key as keyof typeof english];
    expect({ key, plural: typeof message }).toEqual({ key, plural: typeof original });
    for (const text of texts(message)) expect({ key, text }).toEqual({ key, text: expect.stringMatching(/\S/) });
    if (typeof message === 'string') {
      expect({ key, holes: holes(message) }).toEqual({ key, holes: holes(original as string) });
      continue;
    }
    // A form for a category that the language does not have would never be seen.
    expect({ key, unknown: Object.keys(message).filter((form) => !categories.includes(form as never)) }).toEqual({
      key,
      unknown: [],
    });
    expect({ key, holes: holes(message.other) }).toEqual({ key, holes: holes((original as { other: string }).other) });
  }
});

test('a reader gets the nearest language there is', () => {
  expect(bestLanguage(['pt-BR', 'en'])).toBe('pt');
  expect(bestLanguage(['sv-SE', 'de-AT'])).toBe('de');
  expect(bestLanguage(['zh-CN'])).toBe('zh-Hans');
  expect(bestLanguage(['sv'])).toBe('en');
  expect(bestLanguage([])).toBe('en');
});
