import type { Phrasebook } from '../phrasebook.ts';

/** Polish: colours are adjectives of *barwach*, locative plural. */
export const polish: Phrasebook = {
  colours: {
    black: 'czarnych',
    grey: 'szarych',
    white: 'białych',
    red: 'czerwonych',
    orange: 'pomarańczowych',
    brown: 'brązowych',
    yellow: 'żółtych',
    green: 'zielonych',
    turquoise: 'turkusowych',
    blue: 'niebieskich',
    purple: 'fioletowych',
    pink: 'różowych',
    beige: 'beżowych',
  },
  and: ' i ',
  comma: ', ',
  tones: 'w {colours} barwach',
  shape: {
    landscape: '{brightness}kompozycja w układzie poziomym',
    portrait: '{brightness}kompozycja w układzie pionowym',
    square: '{brightness}kwadratowa kompozycja',
    panorama: '{brightness}kompozycja panoramiczna',
  },
  brightness: { dark: 'ciemna ', medium: '', bright: 'jasna ' },
  scene: '{shape}, {tones}',
  transparent: ', z przezroczystymi obszarami',
  titled: '{topic} – {scene}',
};
