import { type FormatId, formatIds } from '../../src/image/formats/format-id.ts';
import { type SourceKind, sourceKinds, sourceMegapixels } from './sources.ts';

export const treatments = ['full', '1920', 'rotated', 'watermark'] as const;
export type Treatment = (typeof treatments)[number];

/** One job of the matrix. */
export interface MatrixJob {
  readonly name: string;
  readonly kind: SourceKind;
  readonly megapixels: number;
  readonly format: FormatId;
  readonly treatment: Treatment;
}

/** Every kind of input × megapixels × output format × treatment, the small ones first. */
export function matrix(): MatrixJob[] {
  return sourceMegapixels.flatMap((megapixels) => jobsOf(megapixels, sourceKinds));
}

/** Every kind of input × output format × treatment. */
export function jobsOf(megapixels: number, kinds: readonly SourceKind[]): MatrixJob[] {
  return kinds.flatMap((kind) =>
    formatIds.flatMap((format) =>
      treatments.map((treatment) => ({
        name: `${megapixels} MP ${kind} → ${format} ${treatment}`,
        kind,
        megapixels,
        format,
        treatment,
      })),
    ),
  );
}

/** The parameters of a job's request. */
export function parameters({ format, treatment }: MatrixJob): Record<string, string | number> {
  return { format, ...(treatment === '1920' && { maxWidth: 1920, maxHeight: 1920 }) };
}
