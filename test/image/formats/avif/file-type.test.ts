import { describe, expect, it } from 'vitest';
import { showAsStill, sniffAvif } from '../../../../src/image/formats/avif/file-type.ts';
import { avifFile } from '../../../support/avif-file.ts';

const start = (...brands: string[]) => {
  const size = 16 + (brands.length - 1) * 4;
  const [major, ...compatible] = brands;
  const text = `\0\0\0${String.fromCharCode(size)}ftyp${major}\0\0\0\0${compatible.join('')}mdatmoreavif`;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
};

describe('sniffing AVIF', () => {
  it('knows it by its brands, first or later, for stills and sequences', () => {
    expect(sniffAvif(start('avif', 'mif1', 'miaf'))).toBe(true);
    expect(sniffAvif(start('avis', 'msf1'))).toBe(true);
    expect(sniffAvif(start('mif1', 'miaf', 'avif'))).toBe(true);
  });

  it('lets container brands alone pass: the primary item decides', () => {
    expect(sniffAvif(start('mif1', 'miaf'))).toBe(true);
  });

  it('does not know HEIC, video, or brands behind the box', () => {
    expect(sniffAvif(start('heic', 'mif1', 'heic'))).toBe(false);
    expect(sniffAvif(start('mif1', 'heic'))).toBe(false);
    expect(sniffAvif(start('isom', 'mp42'))).toBe(false);
    expect(sniffAvif(new Uint8Array(64))).toBe(false);
    expect(sniffAvif(start('avif').subarray(0, 10))).toBe(false);
  });
});

it('a sequence is shown as the still picture that it also has; everything else stays', () => {
  const file = avifFile({ brands: ['avis', 'avif', 'msf1'], items: [], properties: [] });
  const still = avifFile({ brands: ['avif', 'avif', 'msf1'], items: [], properties: [] });
  showAsStill(file);
  expect(file).toEqual(still);
  showAsStill(file);
  expect(file).toEqual(still);
});

it('what is too short to have a major brand stays as it is', () => {
  for (const bytes of [[], [0, 0, 0, 8, 0x66, 0x74, 0x79, 0x70], [0, 0, 0, 9, 0x66, 0x74, 0x79, 0x70, 1]]) {
    const file = Uint8Array.from(bytes);
    showAsStill(file);
    expect([...file]).toEqual(bytes);
  }
});
