import { Hono } from 'hono';
import { version } from '../package.json';
import { RequestError } from './errors.ts';
import { allowedMethods } from './http/allowed-methods.ts';
import { authenticate } from './http/authenticate.ts';
import { cors } from './http/cors.ts';
import { handleError } from './http/handle-error.ts';
import type { HttpEnv } from './http/http-env.ts';
import { logRequest } from './http/log-request.ts';
import { requestId } from './http/request-id.ts';
import { RequestSlots } from './http/request-slots.ts';
import { requireAdmin } from './http/require-admin.ts';
import { adminRoutes } from './http/routes/admin.ts';
import { compressRoutes } from './http/routes/compress.ts';
import { downloadRoutes } from './http/routes/download.ts';
import { healthRoutes } from './http/routes/health.ts';
import { openapiRoutes } from './http/routes/openapi.ts';
import { usageRoutes } from './http/routes/usage.ts';
import { discardUnreadBody } from './http/unread-body.ts';
import { usageHeaders } from './http/usage-headers.ts';
import { platformClock } from './platform/clock.ts';
import type { Services } from './services.ts';

/** Every middleware and route, in the order in which a request meets them. */
export function createApp(services: Services): Hono<HttpEnv> {
  const { settings, keys, ledger, log, now } = services;
  const answerError = handleError(log);
  const app = new Hono<HttpEnv>();

  app.onError(answerError);
  app.notFound((c) => answerError(new RequestError('not_found', 'There is nothing at this address.'), c));

  app.use(requestId(services.newId));
  app.use(discardUnreadBody(platformClock));
  app.use(logRequest(log, now));
  app.use(cors(settings.corsOrigins));
  app.use(allowedMethods(app, answerError));

  app.use('/api/*', usageHeaders({ ledger, log }));
  app.use('/api/*', authenticate({ keys, ledger, ratePerMinute: settings.ratePerMinute }));
  app.route('/api/compress', compressRoutes({ ...services, slots: new RequestSlots() }));
  app.route('/api/usage', usageRoutes({ ledger }));

  app.route(
    '/',
    downloadRoutes(() => ({ results: services.results, secrets: services.signingKeys(), now: now() })),
  );

  app.use('/admin/*', requireAdmin(services.adminToken));
  app.route('/admin', adminRoutes({ keys, ledger, now }));

  app.route('/health', healthRoutes(version));
  app.route('/openapi.json', openapiRoutes(version));
  return app;
}
