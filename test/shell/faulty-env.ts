import type { FaultSchedule } from './fault-schedule.ts';
import { faultyBucket } from './faulty-bucket.ts';
import { faultyDatabase } from './faulty-database.ts';
import { faultyNamespace } from './faulty-namespace.ts';
import type { CallingObject } from './inject.ts';
import type { RunningCalls } from './running-calls.ts';

/** The bindings of a Worker, or of the object `caller`, with every bucket, database and namespace of objects gone faulty; the others as they are. */
export function faultyEnv<Bindings extends object>(
  env: Bindings,
  schedule: FaultSchedule,
  running: RunningCalls,
  caller?: CallingObject,
): Bindings {
  const faultyBinding = (name: string, binding: unknown) => {
    if (has(binding, 'createMultipartUpload')) return faultyBucket(binding as R2Bucket, schedule, caller);
    if (has(binding, 'prepare')) return faultyDatabase(binding as D1Database, schedule, caller);
    if (has(binding, 'idFromName')) return faultyNamespace(name, binding as DurableObjectNamespace, schedule, running);
    return binding;
  };
  const faulty = Object.entries(env).map(([name, binding]) => [name, faultyBinding(name, binding)]);
  return Object.fromEntries(faulty) as Bindings;
}

function has(binding: unknown, method: string): boolean {
  // A service binding says of every name that it has it: what it is made by tells more.
  return typeof binding === 'object' && binding !== null && method in Object.getPrototypeOf(binding);
}
