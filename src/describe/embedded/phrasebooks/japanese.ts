import type { Phrasebook } from '../phrasebook.ts';

/** Japanese. */
export const japanese: Phrasebook = {
  colours: {
    black: '黒',
    grey: 'グレー',
    white: '白',
    red: '赤',
    orange: 'オレンジ',
    brown: '茶色',
    yellow: '黄色',
    green: '緑',
    turquoise: 'ターコイズ',
    blue: '青',
    purple: '紫',
    pink: 'ピンク',
    beige: 'ベージュ',
  },
  and: 'と',
  comma: '、',
  tones: '{colours}を基調とした',
  shape: {
    landscape: '{brightness}横長の構図',
    portrait: '{brightness}縦長の構図',
    square: '{brightness}正方形の構図',
    panorama: '{brightness}パノラマ構図',
  },
  brightness: { dark: '暗い', medium: '', bright: '明るい' },
  scene: '{tones}{shape}',
  transparent: '、透明部分あり',
  titled: '{topic}（{scene}）',
};
