import type { DurableObject } from 'cloudflare:workers';
import { countRows } from './count-rows.ts';
import { faultyEnv } from './faulty-env.ts';
import { ABORT } from './faulty-namespace.ts';
import { running, schedule } from './shell-state.ts';

// biome-ignore lint/suspicious/noExplicitAny: a mixin's constructor takes any arguments (TypeScript handbook, "Mixins")
type ObjectClass = new (ctx: DurableObjectState, env: any, ...more: any[]) => DurableObject<any>;

const REASON = 'aborted by the fault shell';

/**
 * The same class of Durable Objects with faulty bindings, which can be aborted from outside.
 * @param binding the name of its namespace's binding
 */
export function shellObject<Class extends ObjectClass>(binding: string, original: Class) {
  return class extends (original as ObjectClass) {
    constructor(ctx: DurableObjectState, env: object) {
      countRows(ctx.storage, (rows) => schedule.wrote(binding, rows));
      super(ctx, faultyEnv(env, schedule, running, { binding, abort: () => ctx.abort(REASON) }));
    }

    /** Ends the object at once, whatever it does: as a reset, an eviction or a deployment does on the platform. */
    [ABORT](reason = REASON): void {
      this.ctx.abort(reason);
    }
  };
}
