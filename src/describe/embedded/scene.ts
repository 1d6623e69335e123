import type { PictureTraits } from '../traits.ts';
import type { Phrasebook } from './phrasebook.ts';

/** The words for the first `most` colours, as "in brown and green tones"; empty where there is none. */
export function tones(traits: PictureTraits, book: Phrasebook, most = 3): string {
  const names = traits.colours.slice(0, most).map((colour) => book.colours[colour]);
  const last = names.pop();
  if (last === undefined) return '';
  const list = names.length === 0 ? last : names.join(book.comma) + book.and + last;
  return book.tones.replace('{colours}', list);
}

/** What was measured of a picture, in words: the fullest way to say it first, each following one shorter. */
export function scenes(traits: PictureTraits, book: Phrasebook): string[] {
  const shape = book.shape[traits.shape].replace('{brightness}', book.brightness[traits.brightness]);
  const said = [3, 2, 1].slice(3 - Math.max(1, traits.colours.length)).map((most) => {
    const colours = tones(traits, book, most);
    return colours === '' ? shape : book.scene.replace('{shape}', shape).replace('{tones}', colours);
  });
  const transparent = traits.transparent ? said.map((scene) => scene + book.transparent) : [];
  return [...transparent, ...said, shape];
}
