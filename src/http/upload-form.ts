import { Buffer } from 'node:buffer';
import type { StagedFile, Staging } from '../batch/staging.ts';
import { RequestError } from '../errors.ts';
import { limits, MIB } from '../limits.ts';
import { platformTimer, type Timer } from './body-window.ts';
import { type FormPart, readMultipart } from './multipart.ts';

/** A form that was read to its end: its text as sent, not yet checked, and its files in staging. */
export interface UploadForm {
  /** Text fields; the last of a repeated one counts. */
  readonly fields: ReadonlyMap<string, string>;
  /** In the order sent; `name` is the file's name as sent. */
  readonly files: readonly { readonly index: number; readonly name: string; readonly staged: StagedFile }[];
  readonly watermark?: { readonly name: string; readonly staged: StagedFile };
}

/**
 * Reads the form of POST /api/compress while it arrives: files go to staging as they come. The first limit that is
 * passed ends it there and then: nothing more of the request is kept, and what was staged is removed again.
 * @throws RequestError too_many_files, file_too_large (details.name), invalid_request, payload_too_large,
 *   unsupported_media_type, request_timeout
 */
export async function readUploadForm(
  request: { readonly headers: Headers; readonly body: ReadableStream<Uint8Array> | null },
  p: { readonly staging: Staging; readonly requestId: string; readonly timer?: Timer },
): Promise<UploadForm> {
  const idle = { seconds: limits.uploadIdleSeconds, timer: p.timer ?? platformTimer };
  const form = new FormCollector(p.staging, p.requestId);
  try {
    for await (const part of readMultipart(request, { parts: limits.parts, idle })) await form.add(part);
    return form.complete();
  } catch (error) {
    // What cannot be removed now is swept; the client is told why the form was refused, not this.
    await p.staging.remove(form.staged).catch(() => {});
    throw error;
  }
}

class FormCollector {
  readonly staged: StagedFile[] = [];
  readonly #staging: Staging;
  readonly #requestId: string;
  readonly #fields = new Map<string, string>();
  readonly #files: { index: number; name: string; staged: StagedFile }[] = [];
  #watermark: { name: string; staged: StagedFile } | undefined;

  constructor(staging: Staging, requestId: string) {
    this.#staging = staging;
    this.#requestId = requestId;
  }

  async add(part: FormPart): Promise<void> {
    if (part.name === 'file') await this.#addFile(part);
    else if (part.name === 'watermarkFile') await this.#addWatermark(part);
    else if (part.fileName === undefined) this.#fields.set(part.name, await readText(part));
    else await passOver(part);
  }

  complete(): UploadForm {
    if (this.#files.length === 0) throw invalid('The form has no part named file. Send 1 to 20 images, one part each.');
    const form = { fields: this.#fields, files: this.#files };
    return this.#watermark === undefined ? form : { ...form, watermark: this.#watermark };
  }

  async #addFile(part: FormPart): Promise<void> {
    const index = this.#files.length;
    if (index === limits.files) throw tooManyFiles();
    const name = fileNameOf(part);
    const staged = await this.#stage(part, index, limits.fileBytes, () => fileTooLarge(name));
    if (staged.size === 0) throw invalid(emptyFile(name));
    this.#files.push({ index, name, staged });
  }

  async #addWatermark(part: FormPart): Promise<void> {
    const name = fileNameOf(part);
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
    const staged = await this.#staging.store(key, part.body, maxBytes, tooLarge, part.bytesLeft);
    this.staged.push(staged);
    return staged;
  }
}

function fileNameOf(part: FormPart): string {
  if (part.fileName !== undefined) return part.fileName;
  throw invalid(`The field ${part.name} was sent as text. Send it as a file, with a filename in Content-Disposition.`);
}

/**
 * A text field, cut at `limits.fieldBytes`: that is longer than any field may be, so a field of the contract is refused
 * for its length, and an unknown one is ignored whatever its length.
 */
async function readText(part: FormPart): Promise<string> {
  const text = Buffer.alloc(limits.fieldBytes);
  let length = 0;
  let size = 0;
  for await (const chunk of part.body) {
    size = bounded(size + chunk.length, part.name);
    const kept = chunk.subarray(0, limits.fieldBytes - length);
    text.set(kept, length);
    length += kept.length;
  }
  return text.toString('utf8', 0, length);
}

/** Unknown fields are ignored, but not without an end. */
async function passOver(part: FormPart): Promise<void> {
  let size = 0;
  for await (const chunk of part.body) size = bounded(size + chunk.length, part.name);
}

function bounded(size: number, name: string): number {
  if (size <= limits.fileBytes) return size;
  throw new RequestError('payload_too_large', `The field ${name.slice(0, 100)} is larger than any field may be.`);
}

function invalid(message: string): RequestError {
  return new RequestError('invalid_request', message);
}

function tooManyFiles(): RequestError {
  const message = `Maximum ${limits.files} images allowed per batch. Send the others in another request.`;
  return new RequestError('too_many_files', message);
}

function fileTooLarge(name: string): RequestError {
  const message = `File ${name} exceeds the ${limits.fileBytes / MIB}MB limit. Send a smaller file.`;
  return new RequestError('file_too_large', message, { name });
}

function emptyFile(name: string): string {
  return name === '' ? 'No file was chosen in the field file.' : `File ${name} is empty. Send an image.`;
}

function watermarkTooLarge(): RequestError {
  return invalid(
    `The field watermarkFile exceeds the ${limits.watermarkBytes / MIB} MB limit. Send a smaller PNG image.`,
  );
}
