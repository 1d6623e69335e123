import { Buffer } from 'node:buffer';

/** One part of a form to send: its header lines and its content. */
export interface RawPart {
  readonly headers: readonly string[];
  readonly content: string | Uint8Array;
}

/** A text field. */
export function textPart(name: string, value: string): RawPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], content: value };
}

/** A file field; `fileName` goes between the quotes as it is. */
export function filePart(name: string, fileName: string, content: string | Uint8Array): RawPart {
  return {
    headers: [`Content-Disposition: form-data; name="${name}"; filename="${fileName}"`, 'Content-Type: image/png'],
    content,
  };
}

/** The bytes of multipart/form-data. */
export function multipartBody(boundary: string, parts: readonly RawPart[]): Uint8Array<ArrayBuffer> {
  const pieces = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]);
  return new Uint8Array(Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]));
}

/** A stream that gives `body` in pieces that end at these offsets. */
export function inPieces(body: Uint8Array, ends: Iterable<number>): ReadableStream<Uint8Array> {
  const all = [...ends, body.length];
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      const to = all.shift();
      if (to === undefined) return controller.close();
      if (to > from) controller.enqueue(body.slice(from, to));
      else controller.enqueue(new Uint8Array(0));
      from = Math.max(from, to);
    },
  });
}
