import type { Phrasebook } from '../phrasebook.ts';

/** French: colours are adjectives of *tons*, masculine plural; *orange*, *marron* and *turquoise* do not change. */
export const french: Phrasebook = {
  colours: {
    black: 'noirs',
    grey: 'gris',
    white: 'blancs',
    red: 'rouges',
    orange: 'orange',
    brown: 'marron',
    yellow: 'jaunes',
    green: 'verts',
    turquoise: 'turquoise',
    blue: 'bleus',
    purple: 'violets',
    pink: 'roses',
    beige: 'beiges',
  },
  and: ' et ',
  comma: ', ',
  tones: 'dans des tons {colours}',
  shape: {
    landscape: 'composition{brightness} au format paysage',
    portrait: 'composition{brightness} au format portrait',
    square: 'composition carrée{brightness}',
    panorama: 'composition panoramique{brightness}',
  },
  brightness: { dark: ' sombre', medium: '', bright: ' lumineuse' },
  scene: '{shape}, {tones}',
  transparent: ', avec des zones transparentes',
  titled: '{topic} – {scene}',
};
