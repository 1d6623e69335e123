import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { languages } from '../../src/describe/language.ts';
import { RequestError } from '../../src/errors.ts';
import { parseCompressFields } from '../../src/http/contract.ts';

const parse = (fields: Record<string, string>) => parseCompressFields(new Map(Object.entries(fields)));

function refusal(fields: Record<string, string>): string {
  try {
    parse(fields);
  } catch (error) {
    expect(error).toBeInstanceOf(RequestError);
    expect((error as RequestError).code).toBe('invalid_request');
    return (error as RequestError).message;
  }
  throw new Error(`accepted: ${JSON.stringify(fields)}`);
}

test('absent fields get the defaults of the interface', () => {
  expect(parse({})).toEqual({
    format: 'webp',
    quality: 82,
    watermarkScale: 20,
    watermarkOpacity: 80,
    watermarkPosition: 'BR',
    autoAltText: false,
    autoRenameSEO: false,
    language: 'English',
  });
});

test('every field is read', () => {
  const fields = {
    format: 'avif',
    quality: '40',
    maxWidth: '1',
    maxHeight: '16384',
    sessionId: 'spring / 2026 ☘',
    watermarkScale: '5',
    watermarkOpacity: '0',
    watermarkPosition: 'TL',
    autoAltText: 'true',
    autoRenameSEO: 'TRUE',
    language: '日本語',
    aiContext: 'a wedding',
    seoKeywords: 'flowers, garden',
  };
  const numbers = { quality: 40, maxWidth: 1, maxHeight: 16384, watermarkScale: 5, watermarkOpacity: 0 };
  expect(parse(fields)).toEqual({ ...fields, ...numbers, autoAltText: true, autoRenameSEO: true });
});

test('unknown fields are ignored, whatever they are called', () => {
  expect(parse({ color: 'red', ['__proto__']: 'x', constructor: 'y' })).toEqual(parse({}));
});

test('an empty optional text counts as absent', () => {
  expect(parse({ sessionId: '', aiContext: '', seoKeywords: '' })).toEqual(parse({}));
});

describe('numbers', () => {
  const bounds = [
    ['quality', 40, 100],
    ['maxWidth', 1, 16384],
    ['maxHeight', 1, 16384],
    ['watermarkScale', 5, 50],
    ['watermarkOpacity', 0, 100],
  ] as const;

  test.each(bounds)('%s takes its bounds and refuses what is just outside', (field, min, max) => {
    expect(parse({ [field]: String(min) })[field]).toBe(min);
    expect(parse({ [field]: ` ${max} ` })[field]).toBe(max);
    for (const wrong of [min - 1, max + 1]) {
      const message = refusal({ [field]: String(wrong) });
      expect(message).toContain(`${field} must be`);
      expect(message).toContain(`from ${min} to ${max}; received "${wrong}"`);
    }
  });

  test.each(bounds)('%s refuses what is no plain decimal number', (field) => {
    for (const wrong of ['', ' ', 'abc', '0x50', '5e1', '1_0', '50%', 'NaN', 'Infinity', '--50', '5 0', '٥٠', '1,5']) {
      expect(refusal({ [field]: wrong })).toContain(`received ${JSON.stringify(wrong)}`);
    }
  });

  test('fractions are taken where pixels are not counted', () => {
    expect(parse({ quality: '82.5', watermarkScale: '12.25', watermarkOpacity: '.5' })).toMatchObject({
      quality: 82.5,
      watermarkScale: 12.25,
      watermarkOpacity: 0.5,
    });
    expect(refusal({ maxWidth: '800.5' })).toContain(
      'maxWidth must be a whole number from 1 to 16384; received "800.5"',
    );
    expect(parse({ maxWidth: '800.0' }).maxWidth).toBe(800);
  });

  test('any quality text is either read exactly or refused with its value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String)), (text) => {
        let value: number;
        try {
          value = parse({ quality: text }).quality;
        } catch (error) {
          expect((error as RequestError).code).toBe('invalid_request');
          return;
        }
        expect(value).toBe(Number(text));
        expect(value >= 40 && value <= 100).toBe(true);
      }),
    );
  });
});

describe('choices', () => {
  test('the fifteen languages are taken', () => {
    expect(languages).toHaveLength(15);
    for (const language of languages) expect(parse({ language }).language).toBe(language);
  });

  test.each([
    ['format', 'jpeg', 'webp, avif, jpg, png'],
    ['format', 'WEBP', 'webp, avif, jpg, png'],
    ['format', '', 'webp, avif, jpg, png'],
    ['watermarkPosition', 'center', 'TL, TC, TR, ML, MC, MR, BL, BC, BR'],
    ['language', 'Klingon', 'English, Español'],
    ['autoAltText', 'yes', 'true or false'],
    ['autoRenameSEO', '1', 'true or false'],
    ['autoRenameSEO', '', 'true or false'],
  ])('%s refuses "%s" and names what it takes', (field, value, allowed) => {
    const message = refusal({ [field]: value });
    expect(message).toContain(`${field} must be`);
    expect(message).toContain(allowed);
    expect(message).toContain(`received ${JSON.stringify(value)}`);
  });

  test('booleans are read in any case', () => {
    expect(parse({ autoAltText: 'True', autoRenameSEO: 'fAlSe' })).toMatchObject({
      autoAltText: true,
      autoRenameSEO: false,
    });
  });
});

describe('texts', () => {
  test.each(['sessionId', 'aiContext', 'seoKeywords'] as const)('%s takes 200 characters and refuses 201', (field) => {
    for (const character of ['a', '漢', '🦜']) {
      expect(parse({ [field]: character.repeat(200) })[field]).toBe(character.repeat(200));
      const message = refusal({ [field]: character.repeat(201) });
      expect(message).toContain(`${field} must be text of at most 200 characters`);
      expect(message).toContain('(201 characters)');
    }
  });
});

test('all wrong fields are named in one message', () => {
  const message = refusal({ quality: '101', format: 'gif', maxWidth: '0' });
  for (const field of ['quality', 'format', 'maxWidth']) expect(message).toContain(field);
});

test('a message repeats only the start of a long value, with control characters escaped', () => {
  const message = refusal({ format: `x\r\n${'y'.repeat(5000)}` });
  expect(message.length).toBeLessThan(250);
  expect(message).toContain('"x\\r\\nyyy');
});
