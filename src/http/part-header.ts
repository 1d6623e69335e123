import { Buffer } from 'node:buffer';
import { RequestError } from '../errors.ts';
import { extendedValue, headerParameters } from './header-parameters.ts';

/** Lines of one part's header: forms have two. More are an attack on whoever reads them. */
const HEADER_LINES = 16;

/** What the header of one part of a form says. */
export interface PartHeader {
  /** The field's name. */
  readonly name: string;
  /** The file's name as sent, path parts included; absent: a text field. Empty: a file input with nothing chosen. */
  readonly fileName?: string;
  /** The type that the client claims, without parameters. */
  readonly mediaType: string;
}

/**
 * Reads the header lines of one part of multipart/form-data (RFC 7578, 4.2–4.8).
 * @param block the lines, without the empty one that ends them
 * @throws RequestError invalid_request: a part that cannot be understood is never passed over, since a file might be in it
 */
export function partHeader(block: Uint8Array): PartHeader {
  const lines = headerLines(decode(block));
  refuseEncoding(lines.get('content-transfer-encoding'));
  const disposition = lines.get('content-disposition');
  if (disposition === undefined) throw malformed('has no Content-Disposition header');
  const { value, parameters } = headerParameters(disposition);
  if (value !== 'form-data') throw malformed('has a Content-Disposition other than form-data');
  const name = parameters.get('name');
  if (name === undefined) throw malformed('has no field name');
  const fileName = fileNameOf(parameters);
  const mediaType = headerParameters(lines.get('content-type') ?? 'text/plain').value;
  return { name: unescapeFormName(name), mediaType, ...(fileName === undefined ? {} : { fileName }) };
}

/** `filename*` before `filename` (RFC 6266, 4.3), unless it cannot be decoded. @param parameters of a Content-Disposition */
export function fileNameOf(parameters: ReadonlyMap<string, string>): string | undefined {
  const extended = parameters.get('filename*');
  const plain = parameters.get('filename');
  const decoded = extended === undefined ? undefined : extendedValue(extended);
  if (decoded !== undefined) return decoded;
  return plain === undefined ? extended : unescapeFormName(plain);
}

/** Undoes what browsers do to names: quotes and line breaks are percent-encoded, nothing else (HTML, 4.10.22.7). */
function unescapeFormName(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Header lines by lower-case name; the first of a repeated name counts; folded lines are joined (RFC 5322, 2.2.3). */
function headerLines(text: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  const sent = text.replace(/\r\n[ \t]/g, ' ').split('\r\n', HEADER_LINES + 1);
  if (sent.length > HEADER_LINES) throw malformed(`has more than ${HEADER_LINES} header lines`);
  for (const line of sent) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name === '' || /[\r\n\0]/.test(line)) throw malformed('has a malformed header line');
    if (!lines.has(name)) lines.set(name, line.slice(colon + 1).trim());
  }
  return lines;
}

/** UTF-8 as the standards have it; else Latin-1, in which old clients send names. */
function decode(block: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(block);
  } catch {
    return Buffer.from(block).toString('latin1');
  }
}

/** RFC 7578, 4.7: encodings are out of use. One that changes the bytes would make a broken picture of a good one. */
function refuseEncoding(encoding: string | undefined): void {
  if (encoding === undefined || /^(7bit|8bit|binary)$/i.test(encoding)) return;
  throw malformed('has a Content-Transfer-Encoding; send the bytes as they are, without it');
}

function malformed(what: string): RequestError {
  return new RequestError('invalid_request', `The form is malformed: a part ${what}.`);
}
