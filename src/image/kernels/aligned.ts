/** Rounded up to whole 16 bytes: regions of the arena start at such addresses, and a vector is as long. */
export function aligned(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}
