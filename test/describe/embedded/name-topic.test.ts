import { describe, expect, it } from 'vitest';
import { nameTopic } from '../../../src/describe/embedded/name-topic.ts';

describe('nameTopic', () => {
  it.each([
    ['golden-retriever-puppy.jpg', 'golden retriever puppy'],
    ['GoldenRetrieverPuppy.jpeg', 'Golden Retriever Puppy'],
    ['2024-07-01_Beach at sunset (final) copy 2.png', 'Beach sunset'],
    ['C:\\Users\\me\\red_car.webp', 'red car'],
    ['/tmp/red.car.webp', 'red car'],
    ['iPhone case.png', 'iPhone case'],
    ['金毛犬.jpg', '金毛犬'],
    ['犬.jpg', undefined],
    ['l’été à la plage.jpg', 'l’été à la plage'],
    ['red-car-1920x1080-v2.jpg', 'red car'],
    ['facade.jpg', 'facade'],
  ])('%s', (name, topic) => {
    expect(nameTopic(name)).toBe(topic);
  });

  it.each([
    'IMG_1234.JPG',
    'DSC0001.jpg',
    'PXL_20240101_123456789.jpg',
    'IMG-20240101-WA0012.jpg',
    'Screenshot 2024-01-01 at 10.00.00.png',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301.png',
    'deadbeef0123456789.png',
    '1700000000000.webp',
    'WhatsApp Image 2024-01-01 at 10.00.00 AM.jpeg',
    'image (1).png',
    'a.png',
    '',
    '.png',
    '\u202e\u0000',
  ])('finds nothing in %j', (name) => {
    expect(nameTopic(name)).toBeUndefined();
  });
});
