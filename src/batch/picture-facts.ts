import type { ImageHeader } from '../image/header.ts';
import type { Plan } from '../image/plan.ts';

/** What a picture was and what it has become. Sides are in pixels, of the upright picture. Plain data: it crosses to other isolates. */
export interface PictureFacts {
  readonly originalWidth: number;
  readonly originalHeight: number;
  readonly width: number;
  readonly height: number;
  /** Nothing made it smaller: the result is the file as it was sent, without its metadata. */
  readonly unchanged: boolean;
}

/** The facts of a picture that was processed as planned. @param unchanged whether the original was kept in place of the result */
export function pictureFacts(header: ImageHeader, { frame }: Plan, unchanged: boolean): PictureFacts {
  // Orientations from 5 on lay the stored rows on their side (CIPA DC-008, tag 0x0112).
  const [originalWidth, originalHeight] =
    header.orientation >= 5 ? [header.height, header.width] : [header.width, header.height];
  return { originalWidth, originalHeight, width: frame.width, height: frame.height, unchanged };
}
