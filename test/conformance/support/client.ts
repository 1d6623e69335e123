import { adminToken, type Server } from './server.ts';

export interface Part {
  readonly name: string;
  /** Text of a field, or the bytes of a file. */
  readonly value: string | Uint8Array;
  readonly fileName?: string;
  readonly type?: string;
}

export interface ResultItem {
  originalName: string;
  newName: string;
  originalSize: number;
  optimizedSize: number;
  downloadUrl: string;
  altText?: string;
}

export interface Failure {
  index: number;
  name: string;
  error: string;
  message: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the checks look into bodies of every shape
  readonly json: any;
}

export interface CompressAnswer extends Answer {
  readonly data: ResultItem[];
  readonly failures: Failure[];
}

/** The items of an answer with where their links lead: a repetition signs them anew. */
export function withoutSignatures({ data }: CompressAnswer) {
  return data.map(({ downloadUrl, ...item }) => ({ ...item, path: new URL(downloadUrl).pathname }));
}

/** A file part named `file`. */
export function file(value: Uint8Array, fileName = 'picture.png', type = 'application/octet-stream'): Part {
  return { name: 'file', value, fileName, type };
}

export function watermark(value: Uint8Array, fileName = 'mark.png'): Part {
  return { name: 'watermarkFile', value, fileName, type: 'image/png' };
}

export function fields(values: Record<string, string | number>): Part[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
}

/** A multipart/form-data body (RFC 7578), byte for byte as given: nothing is escaped or checked. */
export function formBody(parts: readonly Part[], boundary = 'plume-conformance'): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  for (const { name, value, fileName, type } of parts) {
    const disposition = `Content-Disposition: form-data; name="${name}"`;
    const head = fileName === undefined ? disposition : `${disposition}; filename="${fileName}"`;
    const typed = type === undefined ? head : `${head}\r\nContent-Type: ${type}`;
    pieces.push(
      Buffer.from(`--${boundary}\r\n${typed}\r\n\r\n`),
      typeof value === 'string' ? Buffer.from(value) : value,
    );
    pieces.push(Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return new Uint8Array(Buffer.concat(pieces));
}

/** Speaks to one running service over HTTP. */
export class Client {
  readonly server: Server;

  constructor(server: Server) {
    this.server = server;
  }

  async call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(new URL(path, this.server.url), { redirect: 'manual', ...init });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  }

  async compress(
    key: string | undefined,
    parts: readonly Part[],
    { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
  ): Promise<CompressAnswer> {
    const answer = await this.call(`/api/compress${query}`, {
      method: 'POST',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        'content-type': 'multipart/form-data; boundary=plume-conformance',
        ...headers,
      },
      body: formBody(parts),
    });
    const failed = answer.headers.get('x-failed-files');
    return { ...answer, data: answer.json?.data ?? [], failures: failed ? JSON.parse(decodeURIComponent(failed)) : [] };
  }

  /** Compresses one picture and returns what its link delivers. @throws Error with the failure when there is no result */
  async picture(key: string, picture: Uint8Array, options: Record<string, string | number> = {}, extra: Part[] = []) {
    const answer = await this.compress(key, [...fields(options), ...extra, file(picture)]);
    const item = answer.data[0];
    if (!item) throw new Error(`No result: ${answer.status} ${answer.text} ${JSON.stringify(answer.failures)}`);
    return { item, bytes: await this.download(item.downloadUrl) };
  }

  async download(url: string): Promise<Uint8Array> {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  usage(key: string): Promise<Answer> {
    return this.call('/api/usage', { headers: { authorization: `Bearer ${key}` } });
  }

  admin(method: string, path: string, body?: unknown, token = adminToken): Promise<Answer> {
    return this.call(path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** A new account with one key. */
  async account(plan: string, kind: 'api' | 'app' = 'app'): Promise<{ id: string; key: string; keyId: string }> {
    const account = await this.admin('POST', '/admin/accounts', { name: `Conformance ${plan}`, plan });
    const issued = await this.admin('POST', `/admin/accounts/${account.json.id}/keys`, { label: 'conformance', kind });
    if (issued.status !== 201) throw new Error(`No account: ${account.text} ${issued.text}`);
    return { id: account.json.id, key: issued.json.key, keyId: issued.json.id };
  }
}
