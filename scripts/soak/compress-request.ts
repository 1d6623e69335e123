import { randomUUID } from 'node:crypto';
import { formBody, type Part } from '../../test/conformance/support/client.ts';

/** A file of the soak, and what is known of it. */
export interface SoakFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether it must be processed, must not, or may. */
  readonly is: 'good' | 'broken' | 'any';
  /** Where it was sent before by itself. */
  readonly uploadId?: string;
}

/** A request as it is sent, and sent again when its answer was lost. */
export interface CompressRequest {
  readonly idempotencyKey: string;
  readonly files: readonly SoakFile[];
  readonly format: string;
  /** Fields and a watermark. */
  readonly more: readonly Part[];
  readonly described: boolean;
}

export function compressRequest(
  files: readonly SoakFile[],
  options: Readonly<Record<string, string>> = {},
  extra: readonly Part[] = [],
): CompressRequest {
  const fields = Object.entries(options).map(([name, value]) => ({ name, value }));
  const described = options.autoAltText === 'true' || options.autoRenameSEO === 'true';
  const format = options.format ?? 'webp';
  return { idempotencyKey: randomUUID(), files, format, more: [...fields, ...extra], described };
}

const BOUNDARY = 'plume-soak';

export function requestBody({ files, more }: CompressRequest): Uint8Array<ArrayBuffer> {
  const parts = files.map(
    ({ name, bytes, uploadId }): Part =>
      uploadId === undefined
        ? { name: 'file', value: bytes, fileName: name, type: 'image/png' }
        : { name: 'uploadId', value: uploadId },
  );
  return formBody([...more, ...parts], BOUNDARY);
}

export function requestHeaders({ idempotencyKey }: CompressRequest, key: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'idempotency-key': idempotencyKey,
  };
}
