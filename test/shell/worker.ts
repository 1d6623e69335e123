import { env } from 'cloudflare:workers';
import { createApp } from '../../src/app.ts';
import { BatchRunner as Runner } from '../../src/batch/batch-runner.ts';
import { CodecLane as Lane } from '../../src/batch/lane.ts';
import { AccountLedger as Ledger } from '../../src/credits/ledger.ts';
import { MetricsStore as Metrics } from '../../src/metrics/metrics-store.ts';
import { createServices } from '../../src/services.ts';
import { controlRoutes } from './control-routes.ts';
import { carryOut } from './cut-requests.ts';
import { faultyEnv } from './faulty-env.ts';
import { requestHost } from './request-host.ts';
import { shellObject } from './shell-object.ts';
import { running, schedule, startSchedule } from './shell-state.ts';

interface ShellEnv {
  /** The faults, as JSON of `FaultSettings`. */
  readonly FAULTS?: string;
  readonly HOST: DurableObjectNamespace;
}

const shellEnv = env as unknown as ShellEnv;
startSchedule(shellEnv.FAULTS);

const services = createServices(faultyEnv(env, schedule, running));
const app = createApp(services);
const control = controlRoutes({ env: { ...env }, hosts: shellEnv.HOST, schedule, running });

/** The classes of src/index.ts, in the shell. */
export const CodecLane = shellObject('LANE', Lane);
export const BatchRunner = shellObject('BATCH', Runner);
export const AccountLedger = shellObject('LEDGER', Ledger);
export const MetricsStore = shellObject('METRICS', Metrics);
/** Not one of the service's: see `requestHost`. */
export const RequestHost = requestHost((request, bindings, context) => app.fetch(request, bindings as object, context));

/** The Worker of src/index.ts whose bindings go wrong. */
export default {
  fetch(request, bindings, context) {
    if (new URL(request.url).pathname.startsWith('/shell/')) return control.fetch(request, bindings, context);
    const answer = Promise.resolve(carryOut(request, shellEnv.HOST) ?? app.fetch(request, bindings, context));
    context.waitUntil(answer.then(() => services.metrics.flush()));
    return answer;
  },
  scheduled: () => services.sweep(),
} satisfies ExportedHandler;
