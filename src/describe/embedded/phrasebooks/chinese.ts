import type { Phrasebook } from '../phrasebook.ts';

/** Chinese, in simplified characters. */
export const chinese: Phrasebook = {
  colours: {
    black: '黑色',
    grey: '灰色',
    white: '白色',
    red: '红色',
    orange: '橙色',
    brown: '棕色',
    yellow: '黄色',
    green: '绿色',
    turquoise: '青绿色',
    blue: '蓝色',
    purple: '紫色',
    pink: '粉色',
    beige: '米色',
  },
  and: '和',
  comma: '、',
  tones: '以{colours}为主',
  shape: {
    landscape: '{brightness}横向构图',
    portrait: '{brightness}竖向构图',
    square: '{brightness}方形构图',
    panorama: '{brightness}全景构图',
  },
  brightness: { dark: '偏暗', medium: '', bright: '明亮' },
  scene: '{tones}的{shape}',
  transparent: '，含透明区域',
  titled: '{topic}（{scene}）',
};
