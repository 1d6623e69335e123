import type { Phrasebook } from '../phrasebook.ts';

/** Italian: colours are nouns, each with its articulated preposition. */
export const italian: Phrasebook = {
  colours: {
    black: 'del nero',
    grey: 'del grigio',
    white: 'del bianco',
    red: 'del rosso',
    orange: 'dell’arancione',
    brown: 'del marrone',
    yellow: 'del giallo',
    green: 'del verde',
    turquoise: 'del turchese',
    blue: 'del blu',
    purple: 'del viola',
    pink: 'del rosa',
    beige: 'del beige',
  },
  and: ' e ',
  comma: ', ',
  tones: 'nei toni {colours}',
  shape: {
    landscape: 'composizione{brightness} in formato orizzontale',
    portrait: 'composizione{brightness} in formato verticale',
    square: 'composizione quadrata{brightness}',
    panorama: 'composizione panoramica{brightness}',
  },
  brightness: { dark: ' scura', medium: '', bright: ' luminosa' },
  scene: '{shape}, {tones}',
  transparent: ', con zone trasparenti',
  titled: '{topic} – {scene}',
};
