/** Header of a PAM as libwebp's tools write it: seven lines. */
const LINES = 7;

/** The samples of a PAM file. */
export function pamPixels(pam: Uint8Array): Uint8Array {
  let at = 0;
  for (let line = 0; line < LINES; line++) at = pam.indexOf(10, at) + 1;
  return pam.subarray(at);
}
