import type { FileErrorCode } from '../../../src/errors.ts';

export interface ExpectedFailure {
  readonly code: FileErrorCode;
  readonly reason: string;
}

const cut: ExpectedFailure = { code: 'broken_image', reason: 'the data ends before the picture does' };
const runsPast: ExpectedFailure = { code: 'broken_image', reason: 'a chunk declares more bytes than the file has' };
const damaged: ExpectedFailure = { code: 'broken_image', reason: 'the compressed data is wrong' };
const checksum: ExpectedFailure = { code: 'broken_image', reason: 'a critical chunk fails its checksum' };
const tooLarge: ExpectedFailure = { code: 'image_too_large', reason: 'more pixels than are accepted' };
const animated: ExpectedFailure = { code: 'animated_image', reason: 'a sequence of pictures' };
const grid: ExpectedFailure = {
  code: 'broken_image',
  reason: 'a grid that names one tile twice, which libavif 1.0 refuses',
};
const metaSize: ExpectedFailure = {
  code: 'broken_image',
  reason: 'a meta box of size 0 (to the end of the file), which libavif 1.0 refuses',
};
const huge = [
  ...['IDAT', 'bKGD_chunk', 'cHRM_chunk', 'eXIf_chunk', 'gAMA_chunk', 'hIST_chunk', 'iCCP_chunk', 'iTXt_chunk'],
  ...['juNK_unsafe_to_copy', 'juNk_safe_to_copy', 'pCAL_chunk', 'pHYs_chunk', 'sCAL_chunk', 'sPLT_chunk', 'sRGB_chunk'],
  ...['sTER_chunk', 'tEXt_chunk', 'tIME_chunk', 'zTXt_chunk'],
];

/** The corpus's files that cannot be processed, whatever the output format. Every other file must give a correct picture. */
export const expectedFailures: Readonly<Record<string, ExpectedFailure>> = {
  'avif/alpha_noispe.avif': { code: 'broken_image', reason: 'the mandatory size of the alpha picture is missing' },
  'avif/color_grid_alpha_grid_tile_shared_in_dimg.avif': grid,
  'avif/sofa_grid1x5_420_dimg_repeat.avif': grid,
  'avif/draw_points_idat_metasize0.avif': metaSize,
  'avif/draw_points_idat_progressive_metasize0.avif': metaSize,
  'avif/colors-animated-12bpc-keyframes-0-2-3.avif': animated,
  'avif/colors-animated-8bpc-alpha-exif-xmp.avif': animated,
  'avif/colors-animated-8bpc-audio.avif': animated,
  'avif/colors-animated-8bpc-depth-exif-xmp.avif': animated,
  'avif/colors-animated-8bpc.avif': animated,
  'avif/poc_b_506387278.avif': animated,
  'broken/65536-uint32-limit.png': tooLarge,
  'broken/bad_iCCP.png': checksum,
  'broken/badadler.png': damaged,
  'broken/badcrc.png': checksum,
  'broken/corrupt-header.jpg': cut,
  'broken/corrupted.jpg': damaged,
  'broken/truncated.jpg': cut,
  'broken/truncated.png': cut,
  ...Object.fromEntries(huge.map((name) => [`broken/huge_${name}.png`, runsPast])),
  'jpeg/giant-dimensions.jpg': tooLarge,
  'webp/animated-loop-3.webp': animated,
  'webp/big-height.webp': animated,
  'webp/libwebp_tests.md5': { code: 'unsupported_image', reason: 'a list of checksums, no picture' },
};
