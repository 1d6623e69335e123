import type { Phrasebook } from '../phrasebook.ts';

/** Russian: colours are adjectives of *тонах*, prepositional plural. */
export const russian: Phrasebook = {
  colours: {
    black: 'чёрных',
    grey: 'серых',
    white: 'белых',
    red: 'красных',
    orange: 'оранжевых',
    brown: 'коричневых',
    yellow: 'жёлтых',
    green: 'зелёных',
    turquoise: 'бирюзовых',
    blue: 'синих',
    purple: 'фиолетовых',
    pink: 'розовых',
    beige: 'бежевых',
  },
  and: ' и ',
  comma: ', ',
  tones: 'в {colours} тонах',
  shape: {
    landscape: '{brightness}горизонтальная композиция',
    portrait: '{brightness}вертикальная композиция',
    square: '{brightness}квадратная композиция',
    panorama: '{brightness}панорамная композиция',
  },
  brightness: { dark: 'тёмная ', medium: '', bright: 'светлая ' },
  scene: '{shape} {tones}',
  transparent: ', с прозрачными областями',
  titled: '{topic} – {scene}',
};
