import { DurableObject } from 'cloudflare:workers';
import { ABORT } from './faulty-namespace.ts';

export type Handler = (request: Request, env: unknown, context: ExecutionContext) => Response | Promise<Response>;

/**
 * Runs one request in an object of its own, so that it can be ended as the platform ends one: nothing of it runs any more, no
 * `finally`, no line in the log. One isolate could not end one of its requests otherwise.
 */
export function requestHost(handle: Handler) {
  return class extends DurableObject {
    #waitedFor: Promise<unknown>[] = [];

    override async fetch(request: Request): Promise<Response> {
      const waitUntil = (promise: Promise<unknown>) => void this.#waitedFor.push(promise);
      return await handle(request, this.env, { waitUntil, passThroughOnException() {}, props: {} } as never);
    }

    /** Resolves when nothing is left of what the request asked to be waited for. */
    async idle(): Promise<void> {
      for (let waited = 0; waited < this.#waitedFor.length; ) {
        waited = this.#waitedFor.length;
        await Promise.allSettled(this.#waitedFor);
      }
    }

    [ABORT](): void {
      this.ctx.abort('the client left');
    }
  };
}
