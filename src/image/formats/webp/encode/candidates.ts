/** Sub-block modes that are tried in full: fewer the larger the image. */
export function candidatesFor({ width, height }: { readonly width: number; readonly height: number }): 2 | 4 {
  return width * height > 40_000_000 ? 2 : 4;
}
