import type { Phrasebook } from '../phrasebook.ts';

/** Portuguese: colours are nouns. Where its countries differ, the word that most speakers use. */
export const portuguese: Phrasebook = {
  colours: {
    black: 'preto',
    grey: 'cinza',
    white: 'branco',
    red: 'vermelho',
    orange: 'laranja',
    brown: 'marrom',
    yellow: 'amarelo',
    green: 'verde',
    turquoise: 'turquesa',
    blue: 'azul',
    purple: 'roxo',
    pink: 'rosa',
    beige: 'bege',
  },
  and: ' e ',
  comma: ', ',
  tones: 'em tons de {colours}',
  shape: {
    landscape: 'composição{brightness} em formato horizontal',
    portrait: 'composição{brightness} em formato vertical',
    square: 'composição quadrada{brightness}',
    panorama: 'composição panorâmica{brightness}',
  },
  brightness: { dark: ' escura', medium: '', bright: ' luminosa' },
  scene: '{shape}, {tones}',
  transparent: ', com áreas transparentes',
  titled: '{topic} – {scene}',
};
