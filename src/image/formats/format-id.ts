/** The formats, by the names that the interface gives them. */
export const formatIds = ['webp', 'avif', 'jpg', 'png'] as const;
export type FormatId = (typeof formatIds)[number];
