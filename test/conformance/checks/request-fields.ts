import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { fields, file, watermark } from '../support/client.ts';
import { paddedPng, plain, red, scene } from '../support/pictures.ts';

const MIB = 1024 * 1024;
const languages =
  'English Español Català Français Deutsch Italiano Português Nederlands Polski Русский 中文 日本語 한국어 Arabic Hindi';
const long = 'ü'.repeat(200);

/** Every accepted value at and inside its bounds. */
const accepted: [field: string, value: string][] = [
  ...['webp', 'avif', 'jpg', 'png'].map((value): [string, string] => ['format', value]),
  ...['40', '100', '82', '82.5'].map((value): [string, string] => ['quality', value]),
  ...['maxWidth', 'maxHeight'].flatMap((name) => ['1', '16384'].map((value): [string, string] => [name, value])),
  ...['5', '50', '20'].map((value): [string, string] => ['watermarkScale', value]),
  ...['0', '100', '80'].map((value): [string, string] => ['watermarkOpacity', value]),
  ...'TL TC TR ML MC MR BL BC BR'.split(' ').map((value): [string, string] => ['watermarkPosition', value]),
  ...['false', 'FALSE', 'False'].flatMap((value): [string, string][] => [
    ['autoAltText', value],
    ['autoRenameSEO', value],
  ]),
  ...languages.split(' ').map((value): [string, string] => ['language', value]),
  ...['sessionId', 'aiContext', 'seoKeywords'].map((name): [string, string] => [name, long]),
  ['sessionId', 'any string / with ünïcode "quotes"'],
  ['someUnknownField', 'whatever'],
];

/** Every refused value, and what the message must name besides the field. */
const refused: [field: string, value: string, ...named: string[]][] = [
  ['format', 'gif', 'webp', 'avif', 'jpg', 'png', 'gif'],
  ['format', 'jpeg', 'jpg'],
  ['format', ''],
  ['quality', '39', '40', '100', '39'],
  ['quality', '39.9', '40', '100', '39.9'],
  ['quality', '101', '40', '100', '101'],
  ['quality', '100.1', '100.1'],
  ['quality', '-50', '-50'],
  ['quality', 'high', 'high'],
  ['quality', ''],
  ['quality', 'NaN', 'NaN'],
  ['quality', 'Infinity', 'Infinity'],
  ['quality', '0x50', '0x50'],
  ...['maxWidth', 'maxHeight'].flatMap((name): [string, string, ...string[]][] => [
    [name, '0', '1', '16384'],
    [name, '-1', '-1'],
    [name, '16385', '16384', '16385'],
    [name, '100.5', '100.5'],
    [name, 'wide', 'wide'],
    [name, ''],
  ]),
  ['watermarkScale', '4', '5', '50', '4'],
  ['watermarkScale', '51', '5', '50', '51'],
  ['watermarkScale', 'big', 'big'],
  ['watermarkScale', ''],
  ['watermarkOpacity', '-1', '0', '100', '-1'],
  ['watermarkOpacity', '101', '0', '100', '101'],
  ['watermarkOpacity', 'half', 'half'],
  ['watermarkOpacity', ''],
  ['watermarkPosition', 'XX', 'TL', 'BR', 'XX'],
  ['watermarkPosition', ''],
  ...['autoAltText', 'autoRenameSEO'].flatMap((name): [string, string, ...string[]][] => [
    [name, 'yes', 'true', 'false', 'yes'],
    [name, '1', '1'],
    [name, ''],
  ]),
  ['language', 'Klingon', 'English', 'Hindi', 'Klingon'],
  ['language', ''],
  ['sessionId', `${long}x`, '200'],
  ['aiContext', `${long}x`, '200'],
  ['seoKeywords', `${long}x`, '200'],
];

export function requestFields(client: () => Client): void {
  describe('request fields', () => {
    let key: string;
    let small: Buffer;

    beforeAll(async () => {
      key = (await client().account('agency', 'api')).key;
      small = await plain(16, 12, red).png().toBuffer();
    });

    test.each(accepted)('%s = %j is accepted', async (name, value) => {
      const answer = await client().compress(key, [...fields({ [name]: value }), file(small)]);
      expect(answer.json).toMatchObject({ data: [{ originalName: 'picture.png' }] });
      expect(answer.status).toBe(200);
    });

    test.each(refused)('%s = %j is refused with a message that names it', async (name, value, ...named) => {
      const answer = await client().compress(key, [...fields({ [name]: value }), file(small)]);
      expect(answer.status).toBe(400);
      expect(answer.json.error).toBe('invalid_request');
      for (const part of [name, ...named]) expect(answer.json.message).toContain(part);
    });

    test.each(['TRUE', 'true', 'True'])('booleans are read in any case: autoAltText = %s', async (value) => {
      const answer = await client().compress(key, [...fields({ autoAltText: value }), file(small)]);
      expect(answer.status).toBe(200);
      expect(answer.data).toHaveLength(1);
    });

    test('only a file: the defaults apply', async () => {
      const answer = await client().compress(key, [file(small, 'only.png')]);
      expect(answer.data[0]?.newName).toBe('only.webp');
    });

    test('options and the watermark may come before, between and after the files', async () => {
      const option = fields({ format: 'png' });
      const mark = watermark(small);
      for (const parts of [
        [...option, mark, file(small, 'a.png'), file(small, 'b.png')],
        [file(small, 'a.png'), ...option, file(small, 'b.png'), mark],
        [file(small, 'a.png'), mark, file(small, 'b.png'), ...option],
      ]) {
        const answer = await client().compress(key, parts);
        expect(answer.data.map((item) => item.newName)).toEqual(['a.png', 'b.png']);
      }
    });

    test('no file part is refused', async () => {
      const answer = await client().compress(key, fields({ format: 'png' }));
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect(answer.json.message).toContain('file');
    });

    test('an empty form is refused', async () => {
      expect(await client().compress(key, [])).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    });

    test('an empty file is refused', async () => {
      const answer = await client().compress(key, [file(small), file(Buffer.alloc(0), 'empty.png')]);
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    });

    test('a file sent as text is refused', async () => {
      const answer = await client().compress(key, [{ name: 'file', value: 'not a file' }]);
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect(answer.json.message).toContain('file');
    });

    test('20 files are accepted', async () => {
      const answer = await client().compress(
        key,
        Array.from({ length: 20 }, (_, n) => file(small, `${n}.png`)),
      );
      expect(answer.data.map((item) => item.originalName)).toEqual(Array.from({ length: 20 }, (_, n) => `${n}.png`));
    });

    test('21 files are refused with the exact text', async () => {
      const answer = await client().compress(
        key,
        Array.from({ length: 21 }, (_, n) => file(small, `${n}.png`)),
      );
      expect(answer).toMatchObject({ status: 400, json: { error: 'Maximum 20 images allowed per batch' } });
      expect(answer.json.message).toEqual(expect.any(String));
    });

    test('a file of exactly 20 MB is accepted', async () => {
      const answer = await client().compress(key, [file(paddedPng(small, 20 * MIB), 'large.png')]);
      expect(answer.data).toMatchObject([{ originalName: 'large.png', originalSize: 20 * MIB }]);
    });

    test('a file of 20 MB and one byte is refused with the exact text', async () => {
      const answer = await client().compress(key, [file(paddedPng(small, 20 * MIB + 1), 'too large.png')]);
      expect(answer).toMatchObject({ status: 400, json: { error: 'File too large.png exceeds the 20MB limit' } });
    });

    test('a watermark that is no PNG is refused, whatever its name says', async () => {
      const jpeg = await plain(8, 8, red).jpeg().toBuffer();
      const answer = await client().compress(key, [watermark(jpeg), file(small)]);
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect(answer.json.message).toContain('watermarkFile');
    });

    test('a watermark of exactly 5 MB is accepted, one byte more is refused', async () => {
      const fits = await client().compress(key, [watermark(paddedPng(small, 5 * MIB)), file(small)]);
      expect(fits.status).toBe(200);
      const answer = await client().compress(key, [watermark(paddedPng(small, 5 * MIB + 1)), file(small)]);
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect(answer.json.message).toContain('watermarkFile');
    });

    test('a watermark over 16 megapixels is refused', async () => {
      const large = await plain(4001, 4000, red).png().toBuffer();
      const answer = await client().compress(key, [watermark(large), file(small)]);
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect(answer.json.message).toContain('watermarkFile');
    });

    test('two watermarks are refused', async () => {
      const answer = await client().compress(key, [watermark(small), watermark(small), file(small)]);
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    });

    test('a watermark sent as text is refused', async () => {
      const answer = await client().compress(key, [{ name: 'watermarkFile', value: 'text' }, file(small)]);
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    });

    test('every file of a batch is processed with the same options', async () => {
      const large = await scene(120, 80).jpeg().toBuffer();
      const answer = await client().compress(key, [
        file(large, 'a.jpg'),
        ...fields({ format: 'png', maxWidth: 60 }),
        file(large, 'b.jpg'),
      ]);
      expect(answer.data.map((item) => item.newName)).toEqual(['a.png', 'b.png']);
      expect(answer.data[0]?.optimizedSize).toBe(answer.data[1]?.optimizedSize);
    });
  });
}
