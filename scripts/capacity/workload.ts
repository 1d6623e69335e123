import { type BenchCase, cases } from '../bench/cases.ts';

/** A kind of image, and the share of all images that is of it. */
export interface Kind {
  readonly name: string;
  /** 0 … 1 */
  readonly share: number;
}

/** What customers are taken to send: mostly phone photos for the web. An assumption, like every mix. */
export const kinds = [
  { name: '12 MP JPEG → WebP 1920', share: 0.6 },
  { name: '12 MP JPEG → JPEG 1920', share: 0.1 },
  { name: '12 MP JPEG → AVIF 1920', share: 0.1 },
  { name: '1 MP PNG → WebP', share: 0.2 },
] as const satisfies readonly Kind[];

/** The files of the kinds, and what is asked of each. */
export async function kindFiles(): Promise<(BenchCase & Kind)[]> {
  const known = await cases();
  const png = known.find(({ name }) => name.startsWith('1 MP PNG'))!;
  const all = [...known, { ...png, name: '1 MP PNG → WebP', format: 'webp' as const }];
  return kinds.map((kind) => ({ ...all.find(({ name }) => name === kind.name)!, ...kind }));
}
