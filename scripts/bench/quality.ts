/** The interface's default quality, for the lossy formats. */
export const QUALITY = 82;
