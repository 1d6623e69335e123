/** How a deployed version is reached. */
export interface Target {
  /** The service's address, without a slash at the end. */
  readonly address: string;
  readonly worker: string;
  readonly versionId: string;
  /** A customer's key; without it no image is compressed. */
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
  /** Waits so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

const EVERY_MS = 2000;
/** A PNG of 16 × 16 pixels, red from left to right, green from top to bottom. */
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAACXBIWXMAAAPoAAAD6AG1e1JrAAABlklEQVQozxXRURVEIQhFUSMY' +
  'gQhGMAIRiGCEE8EIRiACEYhABCLMG7/ZrMt1jMEcyGAN9kAHNjgDBnfwBj6IQQ5q0IMxJnMikzXZE53Y5EyY3Mmb+CQmOalJzw8I' +
  'UxBhCVtQwYQjIFzhCS6EkEIJLR9YzIUs1mIvdGGLs2BxF2/hi1jkoha9PrCZG9mszd7oxjZnw+Zu3sY3sclNbXp/QJmKKEvZiiqm' +
  'HAXlKk9xJZRUSmn9gDENMZaxDTXMOAbGNZ7hRhhplNH2gcM8yGEd9kEPdjgHDvfwDn6IQx7q0OcD/wK/Sr4jv9hfkG/1N/x/Fx44' +
  'BCQU9Pc94zIvclmXfdGLXc79j9/Lu/glLnmpS98PPOZDHuuxH/qwx3n/5ffxHv6IRz7q0e8DznTEWc521DHn+D/KdZ7jTjjplNP+' +
  'gWAGEqxgBxpYcOIf/AYv8CCCDCro+EAyE0lWshNNLDn5P/MmL/Ekkkwq6fxAMQspVrELLaw49S/lFq/wIoosquj6QDMbaVazG22s' +
  'Of2v8Dav8SaabKrp5geIAnAQ3qbGcgAAAABJRU5ErkJggg==';

/**
 * Waits until requests meet the version. They are led to it by a header (Cloudflare-Workers-Version-Overrides), also while it has no share of the
 * traffic; what does not understand the header lets them pass to the version that has.
 * @param tries one every two seconds
 * @throws Error when nothing answers
 */
export async function meetsVersion(target: Target, tries: number): Promise<boolean> {
  let last = '';
  let answered = false;
  for (let tried = 0; tried < tries; tried++) {
    if (tried > 0) await target.pause(EVERY_MS);
    const health = await ask(target, '/health').catch((error: unknown) => String(error));
    answered = typeof health !== 'string' && health.ok;
    last = typeof health === 'string' ? health : `${health.status} ${await health.text()}`;
    if (answered && versionOf(last) === target.versionId) return true;
  }
  if (answered) return false;
  throw new Error(`${target.address}/health does not answer: ${last}`);
}

/**
 * Uses the service as a customer does: all parts are ready, an image is compressed, its link delivers it.
 * @throws Error with the first thing that was not as it should be
 */
export async function smokeTest(target: Target): Promise<void> {
  await expectStatus('GET /health/ready', () => ask(target, '/health/ready'), target);
  if (target.key === undefined) return;
  const body = new FormData();
  body.set('file', new Blob([Buffer.from(IMAGE, 'base64')]), 'smoke-test.png');
  const headers = { authorization: `Bearer ${target.key}` };
  const compress = () => ask(target, '/api/compress?include=errors', { method: 'POST', headers, body });
  const answer = await expectStatus('POST /api/compress', compress, target);
  const { data, errors } = (await answer.json()) as { data: Result[]; errors?: unknown };
  const [result] = data;
  if (result === undefined) throw new Error(`The image was not compressed: ${JSON.stringify(errors)}`);
  const download = () => target.fetch(result.downloadUrl, { headers: override(target) });
  const bytes = new Uint8Array(await (await expectStatus('The download', download, target)).arrayBuffer());
  const isWebp = new TextDecoder('latin1').decode(bytes.subarray(8, 12)) === 'WEBP';
  if (!isWebp || bytes.length !== result.optimizedSize) throw new Error('The download is not the compressed image.');
}

interface Result {
  readonly optimizedSize: number;
  readonly downloadUrl: string;
}

/** Tries twice: a request may meet an object that is just being replaced. */
async function expectStatus(what: string, call: () => Promise<Response>, { pause }: Target): Promise<Response> {
  const first = await call().catch((error: unknown) => String(error));
  if (typeof first !== 'string' && first.ok) return first;
  await pause(EVERY_MS);
  const second = await call();
  if (second.ok) return second;
  throw new Error(`${what} answered ${second.status}: ${await second.text()}`);
}

function ask(target: Target, path: string, init: RequestInit = {}): Promise<Response> {
  return target.fetch(target.address + path, { ...init, headers: { ...override(target), ...init.headers } });
}

/** RFC 8941: a dictionary of strings. */
function override({ worker, versionId }: Target): Record<string, string> {
  return { 'Cloudflare-Workers-Version-Overrides': `${worker}="${versionId}"` };
}

function versionOf(answer: string): string | undefined {
  return /"versionId":"([^"]+)"/.exec(answer)?.[1];
}
