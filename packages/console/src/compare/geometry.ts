/** Width and height, or a place, in CSS pixels of the stage unless said otherwise. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `fit`: whole and never enlarged; a number: so many pixels of the screen for one of the picture. */
export type Zoom = 'fit' | 1 | 2;
export const zooms: readonly Zoom[] = ['fit', 1, 2];

/** CSS pixels for one pixel of the picture. @param density pixels of the screen in one CSS pixel */
export function scaleOf(zoom: Zoom, picture: Size, stage: Size, density: number): number {
  if (zoom !== 'fit') return zoom / density;
  return Math.min(1, stage.width / picture.width, stage.height / picture.height);
}

/** The place of the picture's corner that is next to the wish: centred where it is smaller than the stage, else without a gap at a side. */
export function placed(wish: Point, shown: Size, stage: Size): Point {
  const along = (at: number, length: number, room: number) =>
    length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, at));
  return { x: along(wish.x, shown.width, stage.width), y: along(wish.y, shown.height, stage.height) };
}

/** Where the corner goes when the scale changes and the picture's point under `anchor` stays where it is. */
export function zoomedAbout(anchor: Point, corner: Point, from: number, to: number): Point {
  const ratio = to / from;
  return { x: anchor.x - (anchor.x - corner.x) * ratio, y: anchor.y - (anchor.y - corner.y) * ratio };
}

export function scaled({ width, height }: Size, scale: number): Size {
  return { width: width * scale, height: height * scale };
}

/** Whether some of the picture is out of sight. */
export function isLarger(shown: Size, stage: Size): boolean {
  return shown.width > stage.width + 0.5 || shown.height > stage.height + 0.5;
}
