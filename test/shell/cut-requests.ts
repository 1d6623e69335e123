import type { FaultSchedule } from './fault-schedule.ts';
import { abortObject } from './faulty-namespace.ts';

/** The front (`test/shell/front.ts`) names each request in this header. */
export const REQUEST_NAME = 'x-shell-request';

interface Host extends Rpc.DurableObjectBranded {
  fetch(request: Request): Promise<Response>;
  idle(): Promise<void>;
}

/** Has a request that came through the front carried out by a host of its own; undefined for others. */
export function carryOut(request: Request, hosts: DurableObjectNamespace): Promise<Response> | undefined {
  const name = request.headers.get(REQUEST_NAME);
  return name === null ? undefined : hosts.get(hosts.idFromName(name)).fetch(request);
}

/**
 * Ends a request whose client has left, or has its answer, as the platform does: what it asked to be waited for may go on for
 * `cutAfterMs`, and then nothing of it runs any more.
 */
export async function cutOff(name: string, hosts: DurableObjectNamespace, schedule: FaultSchedule): Promise<void> {
  const id = hosts.idFromName(name);
  const host = hosts.get(id) as unknown as Host;
  const waits: Promise<boolean>[] = [host.idle().then(() => true)];
  const { cutAfterMs } = schedule.settings;
  if (cutAfterMs !== undefined) waits.push(scheduler.wait(cutAfterMs).then(() => false));
  schedule.note((await Promise.race(waits)) ? 'request over' : 'request cut');
  await abortObject(hosts, id);
}
