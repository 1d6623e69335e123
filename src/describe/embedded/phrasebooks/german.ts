import type { Phrasebook } from '../phrasebook.ts';

/** German: colours are nouns. */
export const german: Phrasebook = {
  colours: {
    black: 'Schwarz',
    grey: 'Grau',
    white: 'Weiß',
    red: 'Rot',
    orange: 'Orange',
    brown: 'Braun',
    yellow: 'Gelb',
    green: 'Grün',
    turquoise: 'Türkis',
    blue: 'Blau',
    purple: 'Lila',
    pink: 'Rosa',
    beige: 'Beige',
  },
  and: ' und ',
  comma: ', ',
  tones: 'überwiegend in {colours}',
  shape: {
    landscape: '{brightness}Motiv im Querformat',
    portrait: '{brightness}Motiv im Hochformat',
    square: '{brightness}quadratisches Motiv',
    panorama: '{brightness}Motiv im Panoramaformat',
  },
  brightness: { dark: 'dunkles ', medium: '', bright: 'helles ' },
  scene: '{shape}, {tones}',
  transparent: ', mit transparenten Bereichen',
  titled: '{topic} – {scene}',
};
