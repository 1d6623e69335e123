import type { Phrasebook } from '../phrasebook.ts';

/** Dutch: colours are inflected adjectives of *tinten*. */
export const dutch: Phrasebook = {
  colours: {
    black: 'zwarte',
    grey: 'grijze',
    white: 'witte',
    red: 'rode',
    orange: 'oranje',
    brown: 'bruine',
    yellow: 'gele',
    green: 'groene',
    turquoise: 'turquoise',
    blue: 'blauwe',
    purple: 'paarse',
    pink: 'roze',
    beige: 'beige',
  },
  and: ' en ',
  comma: ', ',
  tones: 'in {colours} tinten',
  shape: {
    landscape: '{brightness}compositie in liggend formaat',
    portrait: '{brightness}compositie in staand formaat',
    square: '{brightness}vierkante compositie',
    panorama: '{brightness}compositie in panoramaformaat',
  },
  brightness: { dark: 'donkere ', medium: '', bright: 'lichte ' },
  scene: '{shape}, {tones}',
  transparent: ', met transparante delen',
  titled: '{topic} – {scene}',
};
