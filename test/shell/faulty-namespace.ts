import type { FaultSchedule } from './fault-schedule.ts';
import { inject } from './inject.ts';
import { objectFailure, objectOverloaded, objectReset } from './platform-errors.ts';
import type { RunningCalls } from './running-calls.ts';

/** The method that every Durable Object of the shell has beside its own. */
export const ABORT = 'abortForShell';

const RESET_WITHIN_MS = 200;

type Stub = Record<string | symbol, unknown>;

/** A namespace whose objects' calls go wrong by a schedule. A stub through which a call failed is of no more use, as on the platform. */
export function faultyNamespace(
  binding: string,
  namespace: DurableObjectNamespace,
  schedule: FaultSchedule,
  running: RunningCalls,
): DurableObjectNamespace {
  const wrap = (id: DurableObjectId) => faultyStub(new ObjectCalls(binding, namespace, id, schedule, running));
  return new Proxy(namespace, {
    get(target, name) {
      if (name === 'get') return wrap;
      if (name === 'getByName') return (objectName: string) => wrap(target.idFromName(objectName));
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function faultyStub(calls: ObjectCalls): DurableObjectStub {
  const own = { id: calls.id, name: calls.id.name, [Symbol.dispose]: () => {} };
  return new Proxy(own, {
    get(target, name) {
      if (typeof name === 'symbol' || name === 'then' || name in target) return Reflect.get(target, name);
      return (...args: unknown[]) => calls.make(name, args);
    },
  }) as unknown as DurableObjectStub;
}

class ObjectCalls {
  readonly id: DurableObjectId;
  readonly #binding: string;
  readonly #namespace: DurableObjectNamespace;
  readonly #schedule: FaultSchedule;
  readonly #running: RunningCalls;
  readonly #stub: Stub;
  #broken: unknown;

  constructor(
    binding: string,
    namespace: DurableObjectNamespace,
    id: DurableObjectId,
    schedule: FaultSchedule,
    running: RunningCalls,
  ) {
    this.id = id;
    this.#binding = binding;
    this.#namespace = namespace;
    this.#schedule = schedule;
    this.#running = running;
    this.#stub = namespace.get(id) as unknown as Stub;
  }

  async make(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#broken !== undefined) throw this.#broken;
    const over = this.#running.begin(this.#binding, this.id);
    try {
      return await this.#make(method, args);
    } catch (error) {
      const { retryable, overloaded, durableObjectReset } = error as Record<string, unknown>;
      if (retryable || overloaded || durableObjectReset) this.#broken = error;
      throw error;
    } finally {
      over();
    }
  }

  async #make(method: string, args: readonly unknown[]): Promise<unknown> {
    const work = () => (this.#stub[method] as (...given: unknown[]) => Promise<unknown>)(...args);
    return await inject(this.#schedule, {
      kind: `${this.#binding}.${method}`,
      work,
      canRepeat: !args.some((arg) => arg instanceof ReadableStream || arg instanceof Request),
      failure: objectFailure,
      overloaded: objectOverloaded,
      lost: objectReset,
      reset: () => this.#resetDuring(work),
    });
  }

  /** The work, in the middle of which the object is aborted: what the caller sees then is the runtime's own error. */
  async #resetDuring(work: () => Promise<unknown>): Promise<unknown> {
    const answer = work();
    const after = this.#schedule.pick(this.#schedule.settings.resetWithinMs ?? RESET_WITHIN_MS);
    await Promise.race([answer.catch(() => {}), scheduler.wait(after)]);
    await abortObject(this.#namespace, this.id);
    return await answer;
  }
}

/** Ends an object of the shell in the middle of whatever it does, with the platform's words for it; its storage stays. */
export async function abortObject(
  namespace: DurableObjectNamespace,
  id: DurableObjectId,
  reason?: string,
): Promise<void> {
  const stub = namespace.get(id) as unknown as Record<typeof ABORT, (reason?: string) => Promise<void>>;
  // The answer is the reset.
  await stub[ABORT](reason).catch(() => {});
}
