import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import type { ResultItem } from '../../test/conformance/support/client.ts';
import type { CompressRequest } from './compress-request.ts';
import type { SoakClient } from './soak-client.ts';

const TRIES = 6;
/** One result of so many is decoded. */
const DECODED = 6;
const types: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  avif: 'image/avif',
  jpg: 'image/jpeg',
  png: 'image/png',
};

/** Fetches a result and checks its length and type; of some, that it can be decoded. */
export async function checkDownload(item: ResultItem, request: CompressRequest, client: SoakClient): Promise<void> {
  const { verdict } = client;
  const { pathname, search } = new URL(item.downloadUrl);
  for (let tried = 0; tried < TRIES; tried++) {
    const reply = await client.call('download', pathname + search, {});
    if (reply.kind !== 'answer') return;
    const { status, headers, body } = reply;
    if (status === 200) {
      const sizes = [item.optimizedSize, Number(headers['content-length']), body.length];
      if (new Set(sizes).size > 1) verdict.violation('wrong length', `${item.newName}: ${sizes.join(', ')}`);
      const type = types[request.format];
      if (headers['content-type'] !== type) verdict.violation('wrong type', `${headers['content-type']} for ${type}`);
      if (client.random(DECODED) === 0) await decode(item, body, client);
      return;
    }
    if (status !== 503) {
      verdict.violation('result not there', `${item.newName}: ${status} ${body.toString().slice(0, 100)}`);
      return;
    }
    await delay(1000);
  }
  verdict.count('download: given up after 503');
}

async function decode(item: ResultItem, body: Buffer, { verdict }: SoakClient): Promise<void> {
  try {
    await sharp(body).raw().toBuffer();
    verdict.count('download: decoded');
  } catch (error) {
    verdict.violation('result cannot be decoded', `${item.newName}: ${String(error).slice(0, 160)}`);
  }
}
