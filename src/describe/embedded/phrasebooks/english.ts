import type { Phrasebook } from '../phrasebook.ts';

/** English. */
export const english: Phrasebook = {
  colours: {
    black: 'black',
    grey: 'grey',
    white: 'white',
    red: 'red',
    orange: 'orange',
    brown: 'brown',
    yellow: 'yellow',
    green: 'green',
    turquoise: 'turquoise',
    blue: 'blue',
    purple: 'purple',
    pink: 'pink',
    beige: 'beige',
  },
  and: ' and ',
  comma: ', ',
  tones: 'in {colours} tones',
  shape: {
    landscape: '{brightness}landscape-format composition',
    portrait: '{brightness}portrait-format composition',
    square: '{brightness}square composition',
    panorama: '{brightness}panoramic composition',
  },
  brightness: { dark: 'dark ', medium: '', bright: 'bright ' },
  scene: '{shape} {tones}',
  transparent: ', with transparent areas',
  titled: '{topic} – {scene}',
};
