import type { Phrasebook } from '../phrasebook.ts';

/** Arabic: colours are definite; *and* is written with the word behind it and repeated in a list. */
export const arabic: Phrasebook = {
  colours: {
    black: 'الأسود',
    grey: 'الرمادي',
    white: 'الأبيض',
    red: 'الأحمر',
    orange: 'البرتقالي',
    brown: 'البني',
    yellow: 'الأصفر',
    green: 'الأخضر',
    turquoise: 'الفيروزي',
    blue: 'الأزرق',
    purple: 'البنفسجي',
    pink: 'الوردي',
    beige: 'البيج',
  },
  and: ' و',
  comma: ' و',
  tones: 'بدرجات {colours}',
  shape: {
    landscape: 'تكوين أفقي{brightness}',
    portrait: 'تكوين رأسي{brightness}',
    square: 'تكوين مربع{brightness}',
    panorama: 'تكوين بانورامي{brightness}',
  },
  brightness: { dark: ' داكن', medium: '', bright: ' ساطع' },
  scene: '{shape} {tones}',
  transparent: '، مع مناطق شفافة',
  titled: '{topic} – {scene}',
};
