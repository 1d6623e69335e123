const hdr = 'PQ light, which the service maps to sRGB; libvips shows its code values as if they were sRGB';
const namedHdr = [
  ...['colors_hdr_p3', 'colors_hdr_rec2020', 'colors_hdr_srgb', 'colors_text_hdr_p3', 'colors_text_hdr_rec2020'],
  ...['colors_text_hdr_srgb', 'colors_text_wcg_hdr_rec2020', 'colors_wcg_hdr_rec2020', 'cosmos1650_yuv444_10bpc_p3pq'],
  ...['seine_hdr_gainmap_small_srgb', 'seine_hdr_gainmap_srgb', 'seine_hdr_gainmap_wrongaltr', 'seine_hdr_rec2020'],
  ...['seine_hdr_srgb', 'color_nogrid_alpha_nogrid_gainmap_grid', 'color_grid_alpha_grid_gainmap_nogrid'],
  ...['color_grid_gainmap_different_grid', 'supported_gainmap_writer_version_with_extra_bytes'],
  ...['unsupported_gainmap_minimum_version', 'unsupported_gainmap_version'],
  ...['unsupported_gainmap_writer_version_with_extra_bytes'],
];
const alphaTurn = 'only the colour declares a turn: the service turns both, libheif stretches the alpha to fit';

/** Files whose pixels cannot be compared with libvips's, with the reason. Their sides, format and decoding are still checked. */
export const shownOtherwise: Readonly<Record<string, string>> = {
  ...Object.fromEntries(namedHdr.map((name) => [`avif/${name}.avif`, hdr])),
  'avif/colors_text_wcg_sdr_rec2020.avif': 'linear light in BT.2020, which libvips shows as if it were sRGB',
  'avif/abc_color_irot_alpha_NOirot.avif': alphaTurn,
  'avif/clap_irot_imir_non_essential.avif': alphaTurn,
  'avif/clop_irot_imor.avif': alphaTurn,
  'avif/extended_pixi.avif':
    'libheif interpolates the colour of 4 × 4 pixels otherwise; libavif agrees with the service',
  'avif/sofa_grid1x5_420_reversed_dimg_order.avif':
    'libheif puts the tiles in another order; libavif agrees with the service',
  'jpeg/Channel_digital_image_CMYK_color_no_profile.jpg': 'CMYK without a profile has no one right colour',
  'png/cicp-display-p3_reencoded.png': 'libvips knows no cICP chunk and shows Display P3 as sRGB',
  'webp/bad_palette_index.webp':
    'pixels outside of the palette are transparent; libvips drops alpha that is not declared',
};
