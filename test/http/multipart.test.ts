import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RequestError } from '../../src/errors.ts';
import { type FormPart, readMultipart } from '../../src/http/multipart.ts';
import type { PaceRules } from '../../src/http/upload-pace.ts';
import { type Clock, platformClock } from '../../src/platform/clock.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { filePart, inPieces, multipartBody, type RawPart, textPart } from '../support/multipart-body.ts';

interface Seen {
  name: string;
  fileName?: string;
  mediaType: string;
  content: string;
}

const pace: PaceRules = { pauseSeconds: 30, bytesPerSecond: () => 4096, totalSeconds: 900 };
const TYPE = 'multipart/form-data; boundary=B0undary';

function open(body: ReadableStream<Uint8Array> | null, type: string | null = TYPE, parts = 200, clock = platformClock) {
  const headers = new Headers(type === null ? {} : { 'content-type': type });
  return readMultipart({ headers, body }, { parts, pace, clock });
}

async function textOf(part: FormPart): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of part.body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('latin1');
}

async function readAll(parts: AsyncIterable<FormPart>): Promise<Seen[]> {
  const seen: Seen[] = [];
  for await (const part of parts) {
    const { name, fileName, mediaType } = part;
    seen.push({ name, mediaType, content: await textOf(part), ...(fileName === undefined ? {} : { fileName }) });
  }
  return seen;
}

function read(body: string | Uint8Array, type: string | null = TYPE, parts?: number): Promise<Seen[]> {
  return readAll(open(inPieces(new Uint8Array(Buffer.from(body as string)), []), type, parts));
}

async function refusal(reading: Promise<unknown>): Promise<RequestError> {
  const error = await reading.then(
    () => undefined,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(RequestError);
  return error as RequestError;
}

function withHeaders(...headers: string[]): Uint8Array<ArrayBuffer> {
  return multipartBody('B0undary', [{ headers, content: 'x' }]);
}

async function nameSent(disposition: string): Promise<string | undefined> {
  const [part] = await read(withHeaders(`Content-Disposition: form-data; name="file"; ${disposition}`));
  return part?.fileName;
}

// Every way in which content can look like a delimiter, and a last part without content.
const tricky: RawPart[] = [
  textPart('format', 'webp'),
  filePart('file', 'a.png', '\r\n--B0undar\r\n--B0undary\r--B0undary--\r\r\n\r\n--B0undaryX\r\n-'),
  filePart('file', 'b.png', '-B0undary--\r\n'),
  filePart('watermarkFile', '', ''),
];
const trickySeen = tricky.map(({ content }) => content);

describe('splits', () => {
  const body = multipartBody('B0undary', tricky);
  const contents = async (stream: ReadableStream<Uint8Array>) =>
    (await readAll(open(stream))).map(({ content }) => content);

  test('a body in one piece', async () => {
    expect(await contents(inPieces(body, []))).toEqual(trickySeen);
  });

  test('the same body byte by byte', async () => {
    expect(await contents(inPieces(body, body.keys()))).toEqual(trickySeen);
  });

  test('every split in two', async () => {
    for (const at of body.keys()) {
      const seen = await contents(inPieces(body, [at]));
      expect(seen, `split at ${at}`).toEqual(trickySeen);
    }
  });

  test('random splits of random contents', async () => {
    const content = fc.string({ unit: fc.constantFrom('\r', '\n', '-', 'B', '--B', '\r\n--', '\r\n--B', 'x') });
    await fc.assert(
      fc.asyncProperty(fc.array(content, { maxLength: 4 }), fc.array(fc.nat(400)), async (texts, cuts) => {
        // A line that begins with the boundary ends the part: no content may have it.
        const safe = texts.map((text) => text.replaceAll(/(^|\r\n)--B/g, '$1--b'));
        const sent = multipartBody(
          'B',
          safe.map((text) => filePart('file', 'f', text)),
        );
        const ends = cuts.filter((at) => at < sent.length).sort((a, b) => a - b);
        const seen = await readAll(open(inPieces(sent, ends), 'multipart/form-data; boundary=B'));
        expect(seen.map((part) => part.content)).toEqual(safe);
      }),
      { numRuns: 300 },
    );
  });

  test('contents larger than the window pass unchanged', async () => {
    const large = new Uint8Array(300_000).map((_, i) => (i * 7919) >> 3);
    const sent = multipartBody('B0undary', [filePart('file', 'l', large), textPart('q', '1')]);
    const request = new Request('http://x/', { method: 'POST', body: sent });
    const [file, field] = await readAll(open(request.body));
    expect(Buffer.from(file?.content ?? '', 'latin1').equals(Buffer.from(large))).toBe(true);
    expect(field?.content).toBe('1');
  });
});

describe('what RFC 2046 allows', () => {
  test('a quoted boundary with blanks and colons in it', async () => {
    const body = multipartBody('a :b', [textPart('q', '5')]);
    expect(await read(body, 'Multipart/Form-Data; charset=utf-8; Boundary="a :b"')).toMatchObject([{ content: '5' }]);
  });

  test('a preamble, an epilogue, blanks behind delimiters', async () => {
    const body =
      'This is a form.\r\n--B0undary \t \r\nContent-Disposition: form-data; name="q"\r\n\r\n5\r\n--B0undary--\r\nbye\r\n';
    expect(await read(body)).toMatchObject([{ name: 'q', content: '5' }]);
  });

  test('a closing delimiter without a line break behind it', async () => {
    expect(await read('--B0undary\r\nContent-Disposition: form-data; name="q"\r\n\r\n5\r\n--B0undary--')).toHaveLength(
      1,
    );
  });

  test('a part without content and without its line break is not taken for the text of the next', async () => {
    const head = (name: string) => `--B0undary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
    expect(await read(`${head('q')}${head('r')}5\r\n--B0undary--`)).toMatchObject([
      { name: 'q', content: '' },
      { name: 'r', content: '5' },
    ]);
  });

  test('a line that only begins like the boundary is content', async () => {
    const body = multipartBody('B0undary', [filePart('file', 'a', 'xyz\r\n--B0undary2\r\nmore')]);
    expect(await read(body)).toMatchObject([{ content: 'xyz\r\n--B0undary2\r\nmore' }]);
  });

  test('folded header lines', async () => {
    const body = withHeaders('Content-Disposition: form-data;\r\n name="file";\r\n\tfilename="a.png"');
    expect(await read(body)).toMatchObject([{ name: 'file', fileName: 'a.png' }]);
  });
});

describe('names of files', () => {
  test.each([
    ['plain', 'filename="a.jpg"', 'a.jpg'],
    ['UTF-8 as browsers send it', 'filename="ñandú 写真.jpg"', 'ñandú 写真.jpg'],
    ['quotes and line breaks as browsers send them', 'filename="a %22b%22 %0D%0A.jpg"', 'a "b" \r\n.jpg'],
    ['other percent signs stay', 'filename="100%25.jpg"', '100%25.jpg'],
    ['escaped quotes', 'filename="a \\"b\\".jpg"', 'a "b".jpg'],
    ['a Windows path', 'filename="C:\\photos\\a.jpg"', 'C:\\photos\\a.jpg'],
    ['path parts', 'filename="../../etc/passwd"', '../../etc/passwd'],
    ['a backslash at the end', 'filename="a\\"', 'a\\'],
    ['semicolons', 'filename="a;b=c;.jpg"', 'a;b=c;.jpg'],
    ['a token', 'filename=a.jpg', 'a.jpg'],
    ['a token with blanks', 'filename=a b.jpg', 'a b.jpg'],
    ['a control character', 'filename="a\u0001.jpg"', 'a\u0001.jpg'],
    ['upper case', 'FILENAME="a.jpg"', 'a.jpg'],
    ['blanks around the equals sign', 'filename = "a.jpg"', 'a.jpg'],
    ['filename* alone', "filename*=UTF-8''na%C3%AFve%20%E2%82%AC.jpg", 'naïve €.jpg'],
    ['filename* with a language', "filename*=utf-8'en'a.jpg", 'a.jpg'],
    ['filename* in Latin-1', "filename*=ISO-8859-1''na%EFve.jpg", 'naïve.jpg'],
    ['filename* before filename', `filename="plain.jpg"; filename*=UTF-8''extended.jpg`, 'extended.jpg'],
    ['a filename* that cannot be decoded', `filename="plain.jpg"; filename*=UTF-8''%zz`, 'plain.jpg'],
    ['nothing chosen', 'filename=""', ''],
    ['junk behind the name', 'filename="a.jpg" junk; more; =; x', 'a.jpg'],
    ['2,000 characters', `filename="${'é'.repeat(2000)}.jpg"`, `${'é'.repeat(2000)}.jpg`],
  ])('%s', async (_, disposition, name) => {
    expect(await nameSent(disposition)).toBe(name);
  });

  test('Latin-1 of old clients', async () => {
    const body = Buffer.from(
      '--B0undary\r\nContent-Disposition: form-data; name="file"; filename="\xf1.jpg"\r\n\r\nx\r\n--B0undary--',
      'latin1',
    );
    expect(await read(new Uint8Array(body))).toMatchObject([{ fileName: 'ñ.jpg' }]);
  });

  test('a part without a file name is text whatever type it claims', async () => {
    const [part] = await read(
      withHeaders('Content-Disposition: form-data; name="file"', 'Content-Type: application/octet-stream'),
    );
    expect(part).toEqual({ name: 'file', mediaType: 'application/octet-stream', content: 'x' });
  });

  test('any name that a browser escapes comes back, in linear time', async () => {
    const asBrowsersSend = (name: string) =>
      name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
    const name = fc.string({ unit: 'grapheme' }).filter((text) => !/%(22|0[ad])|\\|\0/i.test(text));
    await fc.assert(
      fc.asyncProperty(name, async (text) => {
        expect(await nameSent(`filename="${asBrowsersSend(text)}"`)).toBe(text);
      }),
      { numRuns: 200 },
    );
    for (const hostile of ['\\', '"', ';', ' ', '\\"', '%22', "'", '="']) {
      await read(
        withHeaders(`Content-Disposition: form-data; name="file"; filename="${hostile.repeat(4_000 / hostile.length)}`),
      );
    }
  });
});

describe('refusals', () => {
  const whole = Buffer.from(multipartBody('B0undary', [textPart('q', '5')])).toString();

  test.each([
    ['no content type', null],
    ['JSON', 'application/json'],
    ['another form', 'application/x-www-form-urlencoded'],
    ['multipart of another kind', 'multipart/mixed; boundary=B0undary'],
  ])('%s is an unsupported media type', async (_, type) => {
    expect((await refusal(read(whole, type))).code).toBe('unsupported_media_type');
  });

  test.each([
    ['no boundary', whole, 'multipart/form-data', /boundary/],
    ['an empty boundary', whole, 'multipart/form-data; boundary=""', /boundary/],
    ['a boundary too long', whole, `multipart/form-data; boundary=${'b'.repeat(201)}`, /boundary/],
    [
      'another boundary than the one named',
      `${whole}${'x'.repeat(20_000)}`,
      'multipart/form-data; boundary=other',
      /boundary/,
    ],
    ['an empty body', '', TYPE, /ends before/],
    ['no closing delimiter', whole.replace('--B0undary--\r\n', ''), TYPE, /ends before/],
    ['half a closing delimiter', whole.replace('y--\r\n', 'y-'), TYPE, /ends before/],
    ['an end within the header', whole.slice(0, 40), TYPE, /ends before/],
    ['a header too long', `--B0undary\r\nX: ${'x'.repeat(4 * 1024)}\r\n\r\n`, TYPE, /4 KiB/],
    ['a header without an end', `--B0undary\r\n${'X: y\r\n'.repeat(100_000)}`, TYPE, /4 KiB/],
    ['more header lines than any part has', `--B0undary\r\n${'X: y\r\n'.repeat(17)}\r\n`, TYPE, /16 header lines/],
    ['no name', Buffer.from(withHeaders('Content-Disposition: form-data')).toString(), TYPE, /no field name/],
    ['no disposition', Buffer.from(withHeaders('Content-Type: image/png')).toString(), TYPE, /no Content-Disposition/],
    ['no header', Buffer.from(withHeaders()).toString(), TYPE, /no Content-Disposition/],
    [
      'another disposition',
      Buffer.from(withHeaders('Content-Disposition: attachment; name="file"')).toString(),
      TYPE,
      /form-data/,
    ],
    ['a malformed line', Buffer.from(withHeaders('Content-Disposition')).toString(), TYPE, /header line/],
    [
      'base64',
      Buffer.from(
        withHeaders('Content-Disposition: form-data; name="file"', 'Content-Transfer-Encoding: base64'),
      ).toString(),
      TYPE,
      /Transfer-Encoding/,
    ],
  ])('%s is an invalid request', async (_, body, type, message) => {
    const { code, message: said } = await refusal(read(body, type));
    expect([code, said]).toEqual(['invalid_request', expect.stringMatching(message)]);
  });

  test.each(['gzip', 'br', 'gzip, identity', 'X'.repeat(500)])('a body with Content-Encoding %s', async (encoding) => {
    const headers = new Headers({ 'content-type': TYPE, 'content-encoding': encoding });
    const reading = readAll(
      readMultipart(
        { headers, body: inPieces(new Uint8Array(Buffer.from(whole)), []) },
        { parts: 9, pace, clock: platformClock },
      ),
    );
    const { code, message } = await refusal(reading);
    expect([code, message.length < 300]).toEqual(['unsupported_media_type', true]);
    expect(message).toMatch(/Content-Encoding .*without that header/);
  });

  test.each(['identity', 'Identity', ''])('but not with %j', async (encoding) => {
    const headers = new Headers({ 'content-type': TYPE, 'content-encoding': encoding });
    const body = inPieces(new Uint8Array(Buffer.from(whole)), []);
    expect(await readAll(readMultipart({ headers, body }, { parts: 9, pace, clock: platformClock }))).toHaveLength(1);
  });

  test('a missing body is an invalid request', async () => {
    expect((await refusal(readAll(open(null)))).code).toBe('invalid_request');
  });

  test('every cut of a body is refused, never taken for a whole one', async () => {
    for (let length = 0; length < whole.length - 2; length++) {
      expect((await refusal(read(whole.slice(0, length)))).code, `cut at ${length}`).toBe('invalid_request');
    }
  });

  test('more parts than allowed', async () => {
    const many = multipartBody(
      'B0undary',
      Array.from({ length: 4 }, () => textPart('q', '5')),
    );
    expect(await read(many, TYPE, 4)).toHaveLength(4);
    expect((await refusal(read(many, TYPE, 3))).message).toMatch(/3 parts/);
  });
});

describe('flow', () => {
  /** Time stands still, but what follows a refusal is over at once. */
  const impatient: Clock = {
    now: () => 0,
    timer(milliseconds, late) {
      if (milliseconds < pace.pauseSeconds * 1000) queueMicrotask(late);
      return () => {};
    },
  };

  /** A form whose file never ends, and how many bytes were taken from it. */
  function endless() {
    const state = { given: 0, cancelled: false };
    const head = Buffer.from('--B0undary\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = state.given === 0 ? new Uint8Array(head) : new Uint8Array(10_000);
          state.given += piece.length;
          controller.enqueue(piece);
        },
        cancel() {
          state.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    return { state, stream };
  }

  test('nothing is read while a body is not consumed', async () => {
    const { state, stream } = endless();
    const parts = open(stream, TYPE, 200, impatient);
    const { value: part } = await parts.next();
    const before = state.given;
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(state.given).toBe(before);
    const chunks = part!.body[Symbol.asyncIterator]();
    await chunks.next();
    await chunks.next();
    expect(state.given).toBeLessThan(before + 30_000);
    await parts.return();
    expect(state.cancelled).toBe(true);
  });

  test('an error in the consumer ends the reading', async () => {
    const { state, stream } = endless();
    const reading = (async () => {
      for await (const part of open(stream, TYPE, 200, impatient)) {
        for await (const _ of part.body) throw new Error('mine');
      }
    })();
    await expect(reading).rejects.toThrow('mine');
    expect(state.cancelled).toBe(true);
    expect(state.given).toBeLessThan(100_000);
  });

  test('a client that is still sending when it is refused may finish, so that it sees the answer', async () => {
    const pieces = Array.from({ length: 100 }, () => new Uint8Array(10_000));
    let ended = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(Buffer.from('--B0undary\r\nno header\r\n\r\n'))),
      pull(controller) {
        const piece = pieces.pop();
        if (piece !== undefined) return controller.enqueue(piece);
        ended = true;
        controller.close();
      },
    });
    expect((await refusal(readAll(open(stream)))).message).toMatch(/header line/);
    expect([pieces.length, ended]).toEqual([0, true]);
  });

  test('a part that is left unread or half read is passed over, and its body ends', async () => {
    const body = multipartBody('B0undary', [
      filePart('file', 'a', 'x'.repeat(200_000)),
      filePart('file', 'b', 'y'.repeat(200_000)),
      textPart('q', '5'),
    ]);
    const names: string[] = [];
    let stale: FormPart | undefined;
    for await (const part of open(inPieces(body, [100_000, 250_000]))) {
      names.push(part.fileName ?? part.name);
      if (part.fileName === 'b') for await (const _ of part.body) break;
      stale ??= part;
    }
    expect(names).toEqual(['a', 'b', 'q']);
    expect(await textOf(stale!)).toBe('');
  });

  test('a connection that breaks rejects at once', async () => {
    const body = multipartBody('B0undary', [filePart('file', 'a', 'xxxx')]);
    let pulls = 0;
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pulls++ === 0) controller.enqueue(body.slice(0, 90));
        else controller.error(new Error('Network connection lost.'));
      },
    });
    const { code, message } = await refusal(readAll(open(broken)));
    expect([code, message]).toEqual(['invalid_request', expect.stringMatching(/broke off/)]);
  });

  test('a silent client is given up once its pauses are used up, not before, and its connection is closed at once', async () => {
    const clock = new ManualClock();
    let cancelled = false;
    const silent = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(Buffer.from('--B0undary\r\n')));
      },
      cancel() {
        cancelled = true;
      },
    });
    const reading = refusal(open(silent, TYPE, 9, clock).next());
    let ended = false;
    void reading.then(() => {
      ended = true;
    });
    await clock.advance(29_999);
    expect(ended).toBe(false);
    await clock.advance(1);
    const { code, message } = await reading;
    expect([code, message]).toEqual(['request_timeout', expect.stringMatching(/4 KiB a second.*30 seconds/)]);
    expect([cancelled, clock.pending]).toEqual([true, 0]);
  });
});

describe('content that is made of lines that only begin like the boundary', () => {
  const MIB = 1024 * 1024;
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
  const fakes = {
    'fake delimiters': `\r\n--${boundary}x`,
    'fake delimiters with a blank': `\r\n--${boundary} x`,
    'fake delimiters with 64 blanks': `\r\n--${boundary}${' '.repeat(64)}x`,
    'fake delimiters with more blanks than any may have': `\r\n--${boundary}${' '.repeat(65)}`,
    'halves of closing delimiters': `\r\n--${boundary}-\r`,
  };
  const others = {
    'delimiters but for the last byte': `\r\n--${boundary.slice(0, -1)}!`,
    'line breaks': '\r\n\r\n',
    'carriage returns': '\r',
  };
  const some = Object.entries(fakes).map(([name, line]) => [`some ${name}`, line, 200] as const);
  const many = Object.entries(others).map(([name, line]) => [name, line, Math.ceil(MIB / line.length)] as const);

  test.each([...some, ...many])(
    '%s come as they were sent, in a chunk for each read of the body',
    async (_, line, count) => {
      const content = line
        .repeat(count)
        .padEnd(MIB - 1, 'y')
        .concat('z');
      const sent = multipartBody(boundary, [filePart('file', 'a', content), textPart('q', '5')]);
      const ends = Array.from({ length: Math.floor(sent.length / 16_384) }, (_, at) => (at + 1) * 16_384);
      const chunks: Buffer[] = [];
      const names: string[] = [];
      for await (const part of open(inPieces(sent, ends), `multipart/form-data; boundary=${boundary}`)) {
        names.push(part.name);
        if (part.name === 'file') for await (const chunk of part.body) chunks.push(Buffer.from(chunk));
      }
      expect(Buffer.concat(chunks).toString('latin1') === content).toBe(true);
      expect(names).toEqual(['file', 'q']);
      expect(chunks.length).toBeLessThanOrEqual(content.length / 16_384 + 2);
    },
  );

  test.each(Object.entries(fakes))(
    '%s by the thousand end the form: searching them costs many times what other content does',
    async (_, line) => {
      const sent = multipartBody(boundary, [filePart('file', 'a', line.repeat(10_000)), textPart('q', '5')]);
      const ends = Array.from({ length: Math.floor(sent.length / 16_384) }, (_, at) => (at + 1) * 16_384);
      const { code, message } = await refusal(
        readAll(open(inPieces(sent, ends), `multipart/form-data; boundary=${boundary}`)),
      );
      expect([code, message]).toEqual([
        'invalid_request',
        expect.stringMatching(/256 lines .* begin with its boundary/),
      ]);
    },
  );

  test('a part that begins with such a line has it without the line break of its header', async () => {
    const body = multipartBody('B0undary', [filePart('file', 'a', '--B0undaryX')]);
    expect(await read(body)).toMatchObject([{ content: '--B0undaryX' }]);
  });
});
