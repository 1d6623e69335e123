import { describe, expect, test } from 'vitest';
import { formatIds } from '../../src/image/formats/format-id.ts';
import { identify } from '../../src/image/identify.ts';
import { encodePicture } from '../support/code-picture.ts';
import { syntheticPicture } from '../support/synthetic-picture.ts';

test.each(formatIds)('%s is known by its content', async (format) => {
  const file = await encodePicture(format, syntheticPicture('photo', 33, 21));
  expect(await identify(file)).toMatchObject({ format, width: 33, height: 21, orientation: 1, animated: false });
});

describe('another kind of file is refused', () => {
  const latin = (text: string): Uint8Array => Uint8Array.from(text.padEnd(80, ' '), (char) => char.charCodeAt(0));
  test.each([
    ['GIF', latin('GIF89a')],
    ['GIF', latin('GIF87a')],
    ['HEIC', latin('\0\0\0\x1cftypheic\0\0\0\0mif1heic')],
    ['HEIC', latin('\0\0\0\x1cftypmif1\0\0\0\0mif1heic')],
    ['TIFF', latin('II*\0')],
    ['TIFF', latin('MM\0*')],
    ['JPEG XL', latin('\xff\x0a')],
    ['JPEG XL', latin('\0\0\0\x0cJXL \r\n')],
    ['JPEG 2000', latin('\0\0\0\x0cjP  \r\n')],
    ['BMP', latin('BM')],
    ['SVG', latin('  <svg xmlns="http://www.w3.org/2000/svg">')],
    ['SVG', latin('<?xml version="1.0"?>')],
    ['PDF', latin('%PDF-1.7')],
  ])('by its name: %s', async (name, file) => {
    await expect(identify(file)).rejects.toMatchObject({
      code: 'unsupported_image',
      message: `This is a ${name} file. Send a JPEG, PNG, WebP or AVIF.`,
    });
  });

  test.each([
    ['nothing', new Uint8Array(0)],
    ['one byte', Uint8Array.of(0xff)],
    ['text', latin('hello')],
    ['zeros', new Uint8Array(100)],
    ['a RIFF that is sound', latin('RIFF\0\0\0\0WAVEfmt ')],
    ['a film', latin('\0\0\0\x18ftypmp42\0\0\0\0isom')],
  ])('and so is what nobody knows: %s', async (_, file) => {
    await expect(identify(file)).rejects.toMatchObject({
      code: 'unsupported_image',
      message: 'This is not a picture of a known format. Send a JPEG, PNG, WebP or AVIF.',
    });
  });

  test.each([
    ['JPEG', latin('\xff\xd8\xff\xd9').subarray(0, 4)],
    ['PNG', latin('\x89PNG\r\n\x1a\n').subarray(0, 8)],
    ['WebP', latin('RIFF\x04\0\0\0WEBP').subarray(0, 12)],
  ])('a %s that ends behind its signature is broken, not unknown', async (_, file) => {
    await expect(identify(file)).rejects.toMatchObject({ code: 'broken_image' });
  });
});
