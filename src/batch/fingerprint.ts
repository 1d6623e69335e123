import { Buffer } from 'node:buffer';
import type { Batch } from './batch.ts';

/** SHA-256 (lower-case hex) over all that makes two requests the same: what was asked, names and contents of the files, whether they
 * came with it or were sent before: who had to send an upload again repeats the same request. */
export async function fingerprint({ asked, files, watermark }: Batch): Promise<string> {
  const parts = [
    asked,
    files.map(({ name, staged }) => [name, staged.sha256]),
    watermark ? [watermark.name, watermark.staged.sha256] : null,
  ];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)));
  return Buffer.from(digest).toString('hex');
}
