import type { HoldSmallFile } from '../batch/hold-small-file.ts';
import type { StagedFile, Staging } from '../batch/staging.ts';
import type { UploadShare } from '../batch/upload-share.ts';
import type { SentFile } from '../batch/uploaded-files.ts';
import { RequestError } from '../errors.ts';
import { limits, MIB } from '../limits.ts';
import { type Clock, platformClock } from '../platform/clock.ts';
import { checkHeaders } from './body-rules.ts';
import { boundedPart, passOver } from './bounded-part.ts';
import { compressFields } from './contract.ts';
import { fileIsEmpty, fileSentAsText, fileTooLarge } from './file-refusal.ts';
import { FormText, readText } from './form-text.ts';
import { type FormPart, readMultipart } from './multipart.ts';
import { sentFileName } from './sent-file-name.ts';
import { uploadPace } from './upload-pace.ts';

/** The text fields that are kept; any other is passed over. */
const fieldNames: ReadonlySet<string> = new Set(Object.keys(compressFields.shape));

/** A form that was read to its end: its text as sent, not yet checked, its files in staging, and the ids of those that were sent before. */
export interface UploadForm {
  /** Text fields of the contract; the last of a repeated one counts. */
  readonly fields: ReadonlyMap<string, string>;
  /** Parts `file` and fields `uploadId`, in the order sent; `name` is the file's name as sent, cut where it is very long. */
  readonly files: readonly SentFile[];
  readonly watermark?: { readonly name: string; readonly staged: StagedFile };
}

/**
 * Reads the form of POST /api/compress while it arrives: files go to staging as they come, small ones to `hold`. The first limit that is
 * passed ends it there and then: nothing more of the request is kept, and what was staged is removed again.
 * @throws RequestError too_many_files, file_too_large (details.name), invalid_request, payload_too_large,
 *   unsupported_media_type, request_timeout, service_busy; PlatformError
 */
export async function readUploadForm(
  request: { readonly headers: Headers; readonly body: ReadableStream<Uint8Array> | null },
  p: {
    readonly staging: Staging;
    readonly requestId: string;
    readonly clock?: Clock;
    readonly maxBytes?: number | undefined;
    readonly hold?: HoldSmallFile;
  },
): Promise<UploadForm> {
  checkHeaders(request.headers, p.maxBytes);
  const share = await p.staging.enter();
  const form = new FormCollector(p, share);
  try {
    const { clock = platformClock, maxBytes } = p;
    const rules = { parts: limits.parts, pace: uploadPace(() => p.staging.crowded), clock, maxBytes };
    for await (const part of readMultipart(request, rules)) await form.add(part);
    return form.complete();
  } catch (error) {
    // What cannot be removed now is swept; the client is told why the form was refused, not this.
    await p.staging.remove(form.staged).catch(() => {});
    throw error;
  } finally {
    share.leave();
  }
}

class FormCollector {
  readonly staged: StagedFile[] = [];
  readonly #staging: Staging;
  readonly #requestId: string;
  readonly #hold: HoldSmallFile | undefined;
  readonly #share: UploadShare;
  readonly #text = new FormText();
  readonly #files: SentFile[] = [];
  #watermark: { name: string; staged: StagedFile } | undefined;

  constructor(
    p: { readonly staging: Staging; readonly requestId: string; readonly hold?: HoldSmallFile },
    share: UploadShare,
  ) {
    this.#staging = p.staging;
    this.#requestId = p.requestId;
    this.#hold = p.hold;
    this.#share = share;
  }

  async add(part: FormPart): Promise<void> {
    if (part.name === 'file') await this.#addFile(part);
    else if (part.name === 'uploadId') await this.#addUpload(part);
    else if (part.name === 'watermarkFile') await this.#addWatermark(part);
    else if (part.fileName === undefined && fieldNames.has(part.name))
      this.#text.setField(part.name, await readText(boundedPart(part)));
    else await passOver(part);
  }

  complete(): UploadForm {
    if (this.#files.length === 0) {
      throw invalid('The form has no part named file and no uploadId. Send 1 to 20 images, one part each.');
    }
    const form = { fields: this.#text.fields, files: this.#files };
    return this.#watermark === undefined ? form : { ...form, watermark: this.#watermark };
  }

  async #addFile(part: FormPart): Promise<void> {
    const index = this.#nextIndex();
    const name = this.#fileName(part);
    const staged = await this.#stage(part, index, limits.fileBytes, () => fileTooLarge(name));
    if (staged.size === 0) throw fileIsEmpty(name);
    this.#files.push({ index, name, staged });
  }

  async #addUpload(part: FormPart): Promise<void> {
    const index = this.#nextIndex();
    if (part.fileName !== undefined) {
      throw invalid('The field uploadId was sent as a file. Send the id that POST /api/uploads answered as text.');
    }
    const uploadId = (await readText(boundedPart(part))).trim();
    if (uploadId === '') throw invalid('The field uploadId is empty. Send the id that POST /api/uploads answered.');
    this.#text.count(uploadId);
    this.#files.push({ index, uploadId });
  }

  #nextIndex(): number {
    const index = this.#files.length;
    if (index === limits.files) throw tooManyFiles();
    return index;
  }

  async #addWatermark(part: FormPart): Promise<void> {
    const name = this.#fileName(part);
    const staged = await this.#stage(part, 'watermark', limits.watermarkBytes, watermarkTooLarge);
    if (staged.size === 0 && name === '') {
      // A file input in which nothing was chosen: the form goes on without it.
      return;
    }
    if (staged.size === 0)
      throw invalid('The field watermarkFile is an empty file. Send a PNG image, or leave it out.');
    if (this.#watermark !== undefined) throw invalid('The field watermarkFile was sent twice. Send one watermark.');
    this.#watermark = { name, staged };
  }

  async #stage(
    part: FormPart,
    place: number | 'watermark',
    maxBytes: number,
    tooLarge: () => Error,
  ): Promise<StagedFile> {
    const key = this.#staging.keyFor(this.#requestId, place);
    const held = place === 'watermark' ? limits.files : place;
    const take = this.#hold;
    const hold = take && ((pieces: readonly Uint8Array<ArrayBuffer>[]) => take(held, pieces));
    const staged = await this.#staging.store(key, part.body, { share: this.#share, maxBytes, tooLarge, hold });
    this.staged.push(staged);
    return staged;
  }

  #fileName(part: FormPart): string {
    if (part.fileName === undefined) throw fileSentAsText(part.name);
    const name = sentFileName(part.fileName);
    this.#text.count(name);
    return name;
  }
}

function invalid(message: string): RequestError {
  return new RequestError('invalid_request', message);
}

function tooManyFiles(): RequestError {
  const message = `Maximum ${limits.files} images allowed per batch. Send the others in another request.`;
  return new RequestError('too_many_files', message);
}

function watermarkTooLarge(): RequestError {
  return invalid(
    `The field watermarkFile exceeds the ${limits.watermarkBytes / MIB} MB limit. Send a smaller PNG image.`,
  );
}
