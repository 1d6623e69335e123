import type { Phrasebook } from '../phrasebook.ts';

/** Spanish: colours are adjectives of *tonos*, masculine plural. */
export const spanish: Phrasebook = {
  colours: {
    black: 'negros',
    grey: 'grises',
    white: 'blancos',
    red: 'rojos',
    orange: 'naranjas',
    brown: 'marrones',
    yellow: 'amarillos',
    green: 'verdes',
    turquoise: 'turquesas',
    blue: 'azules',
    purple: 'morados',
    pink: 'rosas',
    beige: 'beis',
  },
  and: ' y ',
  comma: ', ',
  tones: 'en tonos {colours}',
  shape: {
    landscape: 'composición{brightness} en formato horizontal',
    portrait: 'composición{brightness} en formato vertical',
    square: 'composición cuadrada{brightness}',
    panorama: 'composición panorámica{brightness}',
  },
  brightness: { dark: ' oscura', medium: '', bright: ' luminosa' },
  scene: '{shape}, {tones}',
  transparent: ', con zonas transparentes',
  titled: '{topic} – {scene}',
};
