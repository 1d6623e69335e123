import type { ColourName } from '../colour-name.ts';
import type { PictureTraits } from '../traits.ts';

/**
 * What the embedded describer says in one language. The noun is the composition of a picture (German: its motif), since "picture"
 * says nothing in an alt text, and it is one noun, so that adjectives agree with it as they stand here.
 */
export interface Phrasebook {
  /** Colours in the form that `tones` needs. */
  readonly colours: Readonly<Record<ColourName, string>>;
  /** Between the last two colours, and between those before. */
  readonly and: string;
  readonly comma: string;
  /** In what colours: `{colours}` stands for their list. */
  readonly tones: string;
  /** The noun with its shape: `{brightness}` stands for one of the words below, with its blank. */
  readonly shape: Readonly<Record<PictureTraits['shape'], string>>;
  readonly brightness: Readonly<Record<PictureTraits['brightness'], string>>;
  /** The whole: `{shape}` and `{tones}` stand for the two above. */
  readonly scene: string;
  /** Behind the whole when parts of the picture are transparent. */
  readonly transparent: string;
  /** `{topic}`, which the customer wrote, with `{scene}`, which was measured. */
  readonly titled: string;
}
