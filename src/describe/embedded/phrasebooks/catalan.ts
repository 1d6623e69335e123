import type { Phrasebook } from '../phrasebook.ts';

/** Catalan: colours are adjectives of *tons*, masculine plural; those named after things do not change. */
export const catalan: Phrasebook = {
  colours: {
    black: 'negres',
    grey: 'grisos',
    white: 'blancs',
    red: 'vermells',
    orange: 'taronja',
    brown: 'marrons',
    yellow: 'grocs',
    green: 'verds',
    turquoise: 'turquesa',
    blue: 'blaus',
    purple: 'liles',
    pink: 'rosa',
    beige: 'beix',
  },
  and: ' i ',
  comma: ', ',
  tones: 'en tons {colours}',
  shape: {
    landscape: 'composició{brightness} en format horitzontal',
    portrait: 'composició{brightness} en format vertical',
    square: 'composició quadrada{brightness}',
    panorama: 'composició panoràmica{brightness}',
  },
  brightness: { dark: ' fosca', medium: '', bright: ' lluminosa' },
  scene: '{shape}, {tones}',
  transparent: ', amb zones transparents',
  titled: '{topic} – {scene}',
};
