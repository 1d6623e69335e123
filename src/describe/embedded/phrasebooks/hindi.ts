import type { Phrasebook } from '../phrasebook.ts';

/** Hindi: colours are adjectives of *रंगों*, oblique plural; those that do not end in -ā do not change. */
export const hindi: Phrasebook = {
  colours: {
    black: 'काले',
    grey: 'स्लेटी',
    white: 'सफ़ेद',
    red: 'लाल',
    orange: 'नारंगी',
    brown: 'भूरे',
    yellow: 'पीले',
    green: 'हरे',
    turquoise: 'फ़िरोज़ी',
    blue: 'नीले',
    purple: 'बैंगनी',
    pink: 'गुलाबी',
    beige: 'बेज',
  },
  and: ' और ',
  comma: ', ',
  tones: '{colours} रंगों में',
  shape: {
    landscape: '{brightness}क्षैतिज रचना',
    portrait: '{brightness}ऊर्ध्वाधर रचना',
    square: '{brightness}वर्गाकार रचना',
    panorama: '{brightness}पैनोरमिक रचना',
  },
  brightness: { dark: 'अंधेरी ', medium: '', bright: 'उजली ' },
  scene: '{tones} {shape}',
  transparent: ', पारदर्शी भागों के साथ',
  titled: '{topic} – {scene}',
};
