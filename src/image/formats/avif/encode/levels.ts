/** Levels of §A.3 of the AV1 specification: seq_level_idx and the most that a picture of that level may have. */
const levels = [
  { index: 0, area: 147_456, width: 2048, height: 1152, tiles: 8, columns: 4 },
  { index: 1, area: 278_784, width: 2816, height: 1584, tiles: 8, columns: 4 },
  { index: 4, area: 665_856, width: 4352, height: 2448, tiles: 16, columns: 6 },
  { index: 5, area: 1_065_024, width: 5504, height: 3096, tiles: 16, columns: 6 },
  { index: 8, area: 2_359_296, width: 6144, height: 3456, tiles: 32, columns: 8 },
  { index: 12, area: 8_912_896, width: 8192, height: 4352, tiles: 64, columns: 8 },
  { index: 16, area: 35_651_584, width: 16_384, height: 8704, tiles: 128, columns: 16 },
] as const;

/** seq_level_idx of what no level holds. */
const UNLIMITED = 31;

/** The lowest level that holds a still picture, as seq_level_idx. Sides in pixels; they may not be exchanged. */
export function levelOf(picture: { width: number; height: number; tiles: number; columns: number }): number {
  const fitting = levels.find(
    (level) =>
      picture.width * picture.height <= level.area &&
      picture.width <= level.width &&
      picture.height <= level.height &&
      picture.tiles <= level.tiles &&
      picture.columns <= level.columns,
  );
  return fitting?.index ?? UNLIMITED;
}
