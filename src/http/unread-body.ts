import type { MiddlewareHandler } from 'hono';
import { limits } from '../limits.ts';
import type { Clock } from '../platform/clock.ts';
import { Places } from '../platform/places.ts';
import { BodyWindow } from './body-window.ts';
import type { HttpEnv } from './http-env.ts';
import { uploadPace } from './upload-pace.ts';

/** Bytes that are read at once of what nobody wants. */
const WINDOW_BYTES = 16 * 1024;
/** Bytes that are passed over of a body: more than any form may have. */
const MOST_BYTES = 410 * 1024 * 1024;

/**
 * Passes over the body of a request that was answered without reading it, for some seconds and while it comes (see
 * `BodyWindow.discard`), and then lets the answer go: given up at once, or answered meanwhile, a client that is still sending loses
 * the answer with the connection. That is done for a few requests of the isolate at a time; the bodies of more are given up. They
 * are never left alone: the runtime would keep what has come of them, and hold the answer back until a slow client has sent all.
 */
export function discardUnreadBody(clock: Clock): MiddlewareHandler<HttpEnv> {
  // State of the isolate on purpose: what is bounded is the isolate's memory.
  const places = new Places(limits.discardsAtOnce, clock);
  return async (c, next) => {
    await next();
    const { body, bodyUsed } = c.req.raw;
    if (body === null || bodyUsed || body.locked) return;
    const place = places.tryEnter();
    const p = { capacity: WINDOW_BYTES, start: new Uint8Array(0), pace: uploadPace(() => false), clock };
    await new BodyWindow(body, p).discard(place === undefined ? 0 : MOST_BYTES);
    place?.leave();
  };
}
