import { Hono } from 'hono';
import { version } from '../package.json';
import { isolateTraffic } from './batch/traffic.ts';
import { RequestError } from './errors.ts';
import { allowedMethods } from './http/allowed-methods.ts';
import { authenticate } from './http/authenticate.ts';
import { cors } from './http/cors.ts';
import { countTraffic } from './http/count-traffic.ts';
import { handleError } from './http/handle-error.ts';
import type { HttpEnv } from './http/http-env.ts';
import { httpsOnly } from './http/https-only.ts';
import { logRequest } from './http/log-request.ts';
import { noStore } from './http/no-store.ts';
import { RefusalLimit } from './http/refusal-limit.ts';
import { requestId } from './http/request-id.ts';
import { RequestSlots } from './http/request-slots.ts';
import { requireAdmin } from './http/require-admin.ts';
import { accountAuditRoutes } from './http/routes/account-audit.ts';
import { adminRoutes } from './http/routes/admin.ts';
import { batchesRoutes } from './http/routes/batches.ts';
import { compressRoutes } from './http/routes/compress.ts';
import { downloadRoutes } from './http/routes/download.ts';
import { healthRoutes } from './http/routes/health.ts';
import { inviteRoutes } from './http/routes/invites.ts';
import { keysRoutes } from './http/routes/keys.ts';
import { openapiRoutes } from './http/routes/openapi.ts';
import { referenceRoutes } from './http/routes/reference.ts';
import { sessionRoutes } from './http/routes/session.ts';
import { usageRoutes } from './http/routes/usage.ts';
import { usageDaysRoutes } from './http/routes/usage-days.ts';
import { zipDownloadRoutes, zipsRoutes } from './http/routes/zips.ts';
import { SessionAccess } from './http/session-access.ts';
import { discardUnreadBody } from './http/unread-body.ts';
import { usageHeaders } from './http/usage-headers.ts';
import { platformClock } from './platform/clock.ts';
import type { Services } from './services.ts';

/** Every middleware and route, in the order in which a request meets them. */
export function createApp(services: Services): Hono<HttpEnv> {
  const { settings, keys, sessions, audit, ledger, log, now } = services;
  const answerError = handleError(log);
  const refusals = new RefusalLimit({ counter: services.refusalCounter, now, log });
  const { baseUrl } = settings;
  const access = new SessionAccess({ sessions, refusals, baseUrl });
  const app = new Hono<HttpEnv>();

  app.onError(answerError);
  app.notFound((c) => answerError(new RequestError('not_found', 'There is nothing at this address.'), c));

  app.use(countTraffic(isolateTraffic));
  app.use(requestId(services.newId));
  app.use(discardUnreadBody(platformClock));
  app.use(logRequest(log, now));
  if (settings.httpsOnly) app.use(httpsOnly());
  app.use(cors(settings.corsOrigins));
  app.use(allowedMethods(app, answerError));

  app.use('/api/*', noStore());
  app.use('/api/*', usageHeaders({ ledger, log }));
  app.use('/api/*', authenticate({ ...services, sessions: access, refusals, ratePerMinute: settings.ratePerMinute }));
  app.route('/api/compress', compressRoutes({ ...services, slots: new RequestSlots() }));
  app.route('/api/batches', batchesRoutes(services));
  app.route('/api/usage', usageRoutes({ ledger }));
  app.route('/api/usage/days', usageDaysRoutes(services));
  app.route('/api/zips', zipsRoutes(services));
  app.route('/api/keys', keysRoutes(services));
  app.route('/api/audit', accountAuditRoutes(services));

  app.route(
    '/',
    downloadRoutes(() => ({ results: services.results, secrets: services.signingKeys(), now: now() })),
  );

  app.use('/session/*', noStore());
  app.route('/session', sessionRoutes({ sessions, access, audit, refusals, baseUrl }));

  app.route('/', zipDownloadRoutes(services));
  const { versionId, readiness } = services;
  app.use('/admin/*', noStore());
  app.use('/admin/*', requireAdmin({ admins: settings.admins, sessions: access, refusals }));
  app.route('/admin', inviteRoutes({ sessions, audit, baseUrl }));
  app.route('/admin', adminRoutes({ keys, audit, ledger, now }));

  app.route('/health', healthRoutes({ version, versionId, readiness }));
  app.route('/openapi.json', openapiRoutes(version));
  app.route('/', referenceRoutes({ version, baseUrl }));
  return app;
}
