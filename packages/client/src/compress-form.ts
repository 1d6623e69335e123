import type { Format, WatermarkPosition } from './answers.ts';

/** What is done with every file of a call; what is absent has the API's default. */
export interface CompressOptions {
  readonly format?: Format | undefined;
  /** 40 to 100. */
  readonly quality?: number | undefined;
  /** Pixels. */
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
  /** The API's `autoAltText`. */
  readonly altText?: boolean | undefined;
  /** The API's `autoRenameSEO`. */
  readonly seoNames?: boolean | undefined;
  readonly language?: string | undefined;
  /** The API's `aiContext`. */
  readonly context?: string | undefined;
  /** The API's `seoKeywords`. */
  readonly keywords?: string | undefined;
  readonly watermark?:
    | {
        /** A PNG. */
        readonly file: Blob;
        /** Percent of the width. */
        readonly scale?: number | undefined;
        /** Percent. */
        readonly opacity?: number | undefined;
        readonly position?: WatermarkPosition | undefined;
      }
    | undefined;
}

/** A file as it is sent. */
export interface NamedFile {
  readonly name: string;
  readonly content: Blob;
}

/** The fields of the form, by the names that the API has for them. */
export function optionFields(options: CompressOptions): ReadonlyMap<string, string> {
  const { watermark } = options;
  const fields: Record<string, string | number | boolean | undefined> = {
    format: options.format,
    quality: options.quality,
    maxWidth: options.maxWidth,
    maxHeight: options.maxHeight,
    autoAltText: options.altText,
    autoRenameSEO: options.seoNames,
    language: options.language,
    aiContext: options.context,
    seoKeywords: options.keywords,
    watermarkScale: watermark?.scale,
    watermarkOpacity: watermark?.opacity,
    watermarkPosition: watermark?.position,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return new Map(given.map(([name, value]) => [name, String(value)]));
}

/** The multipart form: options before the files, so that a wrong one is refused before anything is uploaded. */
export function compressForm(files: readonly NamedFile[], options: CompressOptions): FormData {
  const form = new FormData();
  for (const [name, value] of optionFields(options)) form.append(name, value);
  if (options.watermark) form.append('watermarkFile', options.watermark.file, 'watermark.png');
  for (const { name, content } of files) form.append('file', content, name);
  return form;
}
