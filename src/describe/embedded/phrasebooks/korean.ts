import type { Phrasebook } from '../phrasebook.ts';

/** Korean: every colour ends in a consonant, so *and* is always 과. */
export const korean: Phrasebook = {
  colours: {
    black: '검은색',
    grey: '회색',
    white: '흰색',
    red: '빨간색',
    orange: '주황색',
    brown: '갈색',
    yellow: '노란색',
    green: '초록색',
    turquoise: '청록색',
    blue: '파란색',
    purple: '보라색',
    pink: '분홍색',
    beige: '베이지색',
  },
  and: '과 ',
  comma: ', ',
  tones: '{colours} 톤의',
  shape: {
    landscape: '{brightness}가로형 구도',
    portrait: '{brightness}세로형 구도',
    square: '{brightness}정사각형 구도',
    panorama: '{brightness}파노라마 구도',
  },
  brightness: { dark: '어두운 ', medium: '', bright: '밝은 ' },
  scene: '{tones} {shape}',
  transparent: ', 투명 영역 포함',
  titled: '{topic} – {scene}',
};
