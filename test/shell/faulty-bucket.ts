import type { FaultSchedule } from './fault-schedule.ts';
import { type CallingObject, type InjectedCall, inject } from './inject.ts';
import { r2Failure, r2TooMany, r2Unavailable } from './platform-errors.ts';

type Value = Parameters<R2Bucket['put']>[1];

/** A bucket whose calls, multipart uploads and bodies go wrong by a schedule. Overlapping writes of one key are refused, as R2 does. */
export function faultyBucket(bucket: R2Bucket, schedule: FaultSchedule, caller?: CallingObject): R2Bucket {
  const calls = new BucketCalls(schedule, caller);
  const faulty = {
    head: (key: string) => calls.make('head', () => bucket.head(key)),
    list: (options?: R2ListOptions) => calls.make('list', () => bucket.list(options)),
    delete: (keys: string | string[]) => calls.make('delete', () => bucket.delete(keys)),
    get: async (key: string, options: R2GetOptions = {}) =>
      calls.body(await calls.make('get', () => bucket.get(key, options))),
    put: (key: string, value: Value, options: R2PutOptions = {}) =>
      calls.write('put', key, value, (sent) => bucket.put(key, sent, options)),
    createMultipartUpload: async (key: string, options?: R2MultipartOptions) =>
      faultyUpload(await calls.make('createMultipartUpload', () => bucket.createMultipartUpload(key, options)), calls),
    resumeMultipartUpload: (key: string, id: string) => faultyUpload(bucket.resumeMultipartUpload(key, id), calls),
  };
  return faulty as unknown as R2Bucket;
}

function faultyUpload(upload: R2MultipartUpload, calls: BucketCalls): R2MultipartUpload {
  return {
    key: upload.key,
    uploadId: upload.uploadId,
    uploadPart: (number, value, options) =>
      calls.send('uploadPart', value, (sent) => upload.uploadPart(number, sent as Uint8Array, options)),
    complete: (parts) =>
      calls.make('completeMultipartUpload', () =>
        calls.exclusive('completeMultipartUpload', upload.key, () => upload.complete(parts)),
      ),
    abort: () => calls.make('abortMultipartUpload', () => upload.abort()),
  };
}

class BucketCalls {
  readonly #schedule: FaultSchedule;
  readonly #caller: CallingObject | undefined;

  constructor(schedule: FaultSchedule, caller: CallingObject | undefined) {
    this.#schedule = schedule;
    this.#caller = caller;
  }

  make<Result>(method: string, work: () => Promise<Result>, more: Partial<InjectedCall<Result>> = {}): Promise<Result> {
    return inject(this.#schedule, {
      kind: `r2.${method}`,
      work,
      canRepeat: true,
      caller: this.#caller,
      failure: () => r2Failure(method),
      overloaded: () => r2Unavailable(method),
      ...more,
    });
  }

  /** A call with content: a stream can be sent once, so a call that is done twice is done with its bytes. */
  async send<Result>(method: string, value: Value, work: (value: Value) => Promise<Result>): Promise<Result> {
    const stream = value instanceof ReadableStream ? value : undefined;
    return await this.make(method, () => work(value), {
      canRepeat: stream === undefined,
      ...(stream && { refuse: () => stream.cancel() }),
    });
  }

  write<Result>(method: string, key: string, value: Value, work: (value: Value) => Promise<Result>): Promise<Result> {
    return this.send(method, value, (sent) => this.exclusive(method, key, () => work(sent)));
  }

  /** @throws as R2 does while another write of the key is under way */
  async exclusive<Result>(method: string, key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#schedule.writing.has(key)) {
      this.#schedule.note(`r2.${method} overlapping`);
      throw r2TooMany(method);
    }
    this.#schedule.writing.add(key);
    try {
      return await work();
    } finally {
      this.#schedule.writing.delete(key);
    }
  }

  /** What was found, with a body that may break off. */
  body<Found extends R2ObjectBody | R2Object | null>(found: Found): Found {
    if (found === null || !('body' in found)) return found;
    if (this.#schedule.next('r2.body', ['broken']) === undefined) return found;
    return withBody(found as R2ObjectBody, brokenOff(found.body as ReadableStream<Uint8Array>)) as unknown as Found;
  }
}

/** The object with another body; the rest of it is the object's own. */
function withBody(object: R2ObjectBody, body: ReadableStream): R2ObjectBody {
  return new Proxy(object, {
    get(target, name) {
      if (name === 'body') return body;
      const value = Reflect.get(target, name, target);
      if (['arrayBuffer', 'bytes', 'text', 'json', 'blob'].includes(String(name))) {
        const response = new Response(body);
        return Reflect.get(response, name, response).bind(response);
      }
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The first half of what comes first, then an error. A byte stream, because bodies of R2 are. */
function brokenOff(body: ReadableStream<Uint8Array>): ReadableStream {
  const reader = body.getReader();
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const { value } = await reader.read();
      const half = value?.subarray(0, value.length >> 1);
      if (half !== undefined && half.length > 0) controller.enqueue(half.slice());
      await reader.cancel();
      controller.error(new Error('Network connection lost.'));
    },
    cancel: () => reader.cancel(),
  });
}
