import type { BatchRunner, RunnerEnv } from './batch/batch-runner.ts';
import { heldSource } from './batch/held-source.ts';
import type { CodecLane, LaneEnv } from './batch/lane.ts';
import type { Downloads } from './batch/report-files.ts';
import { Staging } from './batch/staging.ts';
import type { SubmitServices } from './batch/submit-batch.ts';
import { UploadGate } from './batch/upload-gate.ts';
import type { AccountLedger, LedgerEnv } from './credits/ledger.ts';
import { reservationTtl } from './credits/reservation-ttl.ts';
import { ResultStore } from './delivery/result-store.ts';
import { signingKeys } from './delivery/signing-keys.ts';
import { sweep, sweepExpired } from './delivery/sweep.ts';
import { ZIP_PREFIX, ZipStore } from './delivery/zip-store.ts';
import { AuditLog } from './keys/audit-log.ts';
import { isolateKeyCache } from './keys/key-cache.ts';
import { KeyStore } from './keys/key-store.ts';
import { KeyUse } from './keys/key-use.ts';
import { OwnerKeys } from './keys/owner-keys.ts';
import { SessionStore } from './keys/session-store.ts';
import { limits } from './limits.ts';
import { count } from './metrics/definitions.ts';
import type { MetricsStore } from './metrics/metrics-store.ts';
import { MetricsStores } from './metrics/metrics-stores.ts';
import { type Patience, platformShell } from './platform/call-platform.ts';
import { type Counters, isolateCounters } from './platform/counters.ts';
import { objectsWithin } from './platform/objects-within.ts';
import { type Check, type Readiness, ReadinessProbe } from './platform/readiness.ts';
import { readSettings, type Settings, type SettingVars } from './settings.ts';

/** Everything that the platform binds to the Worker. */
export interface Env extends SettingVars, LedgerEnv, LaneEnv, RunnerEnv {
  readonly DB: D1Database;
  readonly LEDGER: DurableObjectNamespace<AccountLedger>;
  readonly LANE: DurableObjectNamespace<CodecLane>;
  readonly BATCH: DurableObjectNamespace<BatchRunner>;
  readonly METRICS: DurableObjectNamespace<MetricsStore>;
  /** Counts refused requests over all isolates of a location. */
  readonly REFUSALS?: RateLimit;
  /** Which version runs; on this machine an id without meaning. */
  readonly VERSION: WorkerVersionMetadata;
  /** Secret that signs download URLs; rotated ones are `SIGNING_KEY_<date>`, see `delivery/signing-keys`. */
  readonly SIGNING_KEY?: string;
  /** Secret that signed them before: still accepted. */
  readonly SIGNING_KEY_PREVIOUS?: string;
}

type Bindings = Env;
declare global {
  namespace Cloudflare {
    interface Env extends Bindings {}
  }
}

/** What the app works with. Routes take the parts that they need; nobody else sees a binding. */
export interface Services {
  readonly settings: Settings;
  readonly keys: KeyStore;
  readonly ownerKeys: OwnerKeys;
  readonly keyUse: KeyUse;
  readonly sessions: SessionStore;
  readonly audit: AuditLog;
  /** The account's counters. */
  ledger(accountId: string): DurableObjectStub<AccountLedger>;
  readonly results: ResultStore;
  readonly zips: ZipStore;
  /** The object that owns a batch. */
  runner(requestId: string): DurableObjectStub<BatchRunner>;
  readonly batches: SubmitServices;
  /** How results are linked to, for a request to `origin`. */
  downloads(origin: string): Downloads;
  /** The platform's counter of requests that are refused for their key; absent where none is bound. */
  readonly refusalCounter: RateLimit | undefined;
  /** Secrets for download URLs: the first signs, all are accepted. @throws Error when the operator set none */
  signingKeys(): readonly [string, ...string[]];
  /** Removes what can no longer be downloaded and what dead requests left; one line of the log says how much. */
  sweep(): Promise<void>;
  readonly metrics: Metrics;
  /** Analytics Engine; absent where the operator has bound none. */
  readonly analytics: Pick<AnalyticsEngineDataset, 'writeDataPoint'> | undefined;
  /** The platform's id of what was deployed. */
  readonly versionId: string | undefined;
  /** Whether all that the service needs answers; asked at most every `limits.readinessSeconds`. @param colo the data centre */
  readiness(colo: string): Promise<Readiness>;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  log(line: Readonly<Record<string, unknown>>): void;
}

/** What is counted: of this isolate, and of all. */
export interface Metrics {
  readonly counters: Counters;
  /** Carries what this isolate counted to where it is added up, some seconds after the last time. Never throws. */
  flush(): Promise<void>;
  /** What all isolates have told since the service began, by series. @throws PlatformError */
  read(): Promise<Readonly<Record<string, number>>>;
}

const NO_VISION_MODEL = 'AI texts come from the embedded describer: it measures and composes, it is not a vision model';

/** Turns bindings into capabilities: the only reader of Env. @throws Error when a variable is wrong */
export function createServices(env: Env): Services {
  const settings = readSettings(env);
  reservationTtl(env);
  const now = () => Date.now();
  const versionId = env.VERSION?.id;
  const log = (line: Readonly<Record<string, unknown>>) => console.log(JSON.stringify({ ...line, versionId }));
  const ledgers = objectsWithin(settings.jurisdiction, env.LEDGER);
  const runners = objectsWithin(settings.jurisdiction, env.BATCH);
  const ledger = (accountId: string) => ledgers.get(ledgers.idFromName(accountId));
  const runner = (requestId: string) => runners.get(runners.idFromName(requestId));
  if (settings.ai.provider === 'embedded') log({ level: 'warn', aiProvider: 'embedded', note: NO_VISION_MODEL });
  const held = heldSource(env.BATCH);
  const staging = new Staging(env.BUCKET, new UploadGate(limits.uploadBytesInFlight), platformShell, held);
  const results = new ResultStore(env.BUCKET);
  const sessions = new SessionStore({ db: env.DB, clock: now, admins: settings.admins });
  const probe = new ReadinessProbe({
    checks: checks(env, settings, ledger),
    keepMs: limits.readinessSeconds * 1000,
    clock: now,
    failed(part, error) {
      count(isolateCounters, 'plume_readiness_failures_total', { part });
      log({ level: 'error', event: 'readiness', part, error: String(error) });
    },
  });
  const stores = new MetricsStores(objectsWithin(settings.jurisdiction, env.METRICS));
  return {
    settings,
    keys: new KeyStore(env.DB, now),
    ownerKeys: new OwnerKeys(env.DB, now, isolateKeyCache),
    keyUse: new KeyUse(env.DB, now),
    sessions,
    audit: new AuditLog(env.DB, now),
    ledger,
    results,
    zips: new ZipStore(env.BUCKET, results),
    refusalCounter: env.REFUSALS,
    signingKeys: () => signingKeys(env, now()),
    async sweep() {
      const swept = {
        ...(await sweep({ bucket: env.BUCKET, now: now(), stagingTtlSeconds: settings.stagingTtlSeconds })),
        zips: await sweepExpired(env.BUCKET, ZIP_PREFIX, now()),
        sessions: await sessions.removeExpired(),
      };
      count(isolateCounters, 'plume_sweeps_total');
      for (const [prefix, objects] of Object.entries(swept)) {
        count(isolateCounters, 'plume_swept_objects_total', { prefix }, objects);
      }
      log({ level: 'info', event: 'sweep', swept });
      await stores.flush(0);
    },
    metrics: {
      counters: isolateCounters,
      flush: () => stores.flush(limits.metricsSeconds.requests * 1000),
      async read() {
        await stores.flush(0);
        return await stores.read();
      },
    },
    analytics: env.ANALYTICS,
    versionId,
    readiness: (colo) => probe.readiness(colo),
    now,
    newId: () => crypto.randomUUID(),
    log,
    runner,
    batches: { staging, runner, now },
    downloads: (origin) => ({
      baseUrl: settings.baseUrl ?? origin,
      secret: signingKeys(env, now())[0],
      ttlSeconds: settings.downloadTtlSeconds,
      now: now(),
    }),
  };
}

/** What no account has as its id. */
const NO_ACCOUNT = 'acc_health';
/** A lane that computes, or that is made anew, answers later than a store. */
const lanePatience: Patience = { tries: 2, limitMs: 5000, backOffMs: 50 };

/** The parts that GET /health/ready asks. A new one is one line. */
function checks(env: Env, { lanes, jurisdiction }: Settings, ledger: Services['ledger']): readonly Check[] {
  // Another one each time, so that all of the data centre are met in the end.
  let next = 0;
  const lane = (colo: string) => {
    const namespace = objectsWithin(jurisdiction, env.LANE);
    return namespace.get(namespace.idFromName(`${colo}-${next++ % lanes}`));
  };
  return [
    { name: 'database', run: () => env.DB.prepare('SELECT 1').first() },
    { name: 'storage', run: () => env.BUCKET.head('health/no-such-object') },
    { name: 'ledger', run: async () => await ledger(NO_ACCOUNT).usage('free') },
    { name: 'lane', run: async (colo) => await lane(colo).check(), patience: lanePatience },
  ];
}
