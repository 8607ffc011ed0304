import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { CONTENT_ROUTE, UPLOAD_ROUTE } from '../contract/byte-routes.js';
import { OPERATIONS } from '../contract/operations/index.js';
import { LIMITS } from '../domain/limits.js';
import type { Host } from '../index.js';
import { authenticate } from './access/caller.js';
import { allowOrigins } from './access/cors.js';
import { checkLoopback, isLocal } from './access/loopback.js';
import { limitRate } from './access/rate-limit.js';
import { limitBodyTime, longestBodyTime } from './connections/body-time.js';
import { limitBytesInFlight } from './connections/bytes-in-flight.js';
import { headChecker } from './connections/check-head.js';
import { Connections } from './connections/connections.js';
import { shutDownGracefully } from './connections/graceful-shutdown.js';
import { connectionError, refuseConnection, refuseTunnels } from './connections/refused-connections.js';
import { Semaphore } from './connections/semaphore.js';
import { DOCUMENTATION_PATHS, serveDocumentation } from './docs/documentation.js';
import { answerError, answerErrors } from './errors/answer-errors.js';
import { MONITORING_PATHS, serveHealth } from './monitoring/health.js';
import { Metrics } from './monitoring/metrics.js';
import { loggerOf, logRequests } from './monitoring/request-log.js';
import { PAGE_PATHS, servePage } from './page/search-page.js';
import { parseQuery } from './parameters.js';
import { serveContent } from './routes/content.js';
import { refuseEncodings } from './routes/content-encoding.js';
import { acceptJson } from './routes/json-body.js';
import { refuseOtherMethods } from './routes/method-not-allowed.js';
import { serveOperation } from './routes/operation-route.js';
import { serveUploads } from './routes/uploads.js';
import { type ServerOptions, settingsOf } from './server-options.js';

/** Enough for the longest key, percent-encoded. */
const MAX_PARAMETER = 12 * LIMITS.key.value;

/** The contract over HTTP, with documentation and monitoring. It starts to listen with `listen`. */
export async function createServer(host: Host, options: ServerOptions = {}): Promise<FastifyInstance> {
  const settings = settingsOf(options);
  const { connections, checkInterval, headersTimeout, ...timeouts } = settings.connectionLimits;
  const open = new Connections();
  const app = Fastify({
    ...timeouts,
    requestTimeout: longestBodyTime(settings),
    bodyLimit: LIMITS.body.value,
    http: {
      headersTimeout,
      maxHeaderSize: LIMITS.header.value,
      connectionsCheckingInterval: checkInterval,
      // Node would refuse with an empty answer: see headChecker.
      requireHostHeader: false,
    },
    logger: loggerOf(settings),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    routerOptions: { maxParamLength: MAX_PARAMETER, querystringParser: parseQuery },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: answerError,
    clientErrorHandler: (error, socket) => refuseConnection(connectionError(error), { socket, open }),
  });
  refuseTunnels(app.server, open);
  open.limit(app.server, connections);
  const searches = new Semaphore(settings.searchesAtOnce);
  const metrics = new Metrics({ host, searches });
  const serving = { host, settings, metrics, searches };
  answerErrors(app);
  acceptJson(app);
  app.decorateRequest('caller', null);
  app.decorateRequest('targetId', '');
  shutDownGracefully(app, settings.grace);
  let local = true;
  app.addHook('onListen', async () => {
    local = isLocal(app);
  });
  await allowOrigins(app, settings.corsOrigins);
  limitBodyTime(app, settings.connectionLimits);
  const checkHead = headChecker(app.server);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    checkHead(request);
    if (local) checkLoopback(request, settings);
    request.caller = await authenticate(request, host);
  });
  refuseEncodings(app);
  limitBytesInFlight(app);
  logRequests(app, metrics);
  await limitRate(app, settings.requestsPerMinute);
  const operations = Object.values(OPERATIONS);
  for (const operation of operations) serveOperation(app, operation, serving);
  serveContent(app, serving);
  serveUploads(app, serving);
  serveHealth(app, serving);
  serveDocumentation(app);
  servePage(app, serving, () => local);
  const own = [...MONITORING_PATHS, ...DOCUMENTATION_PATHS, ...PAGE_PATHS].map((path) => ({ method: 'GET', path }));
  refuseOtherMethods(app, [...operations, CONTENT_ROUTE, UPLOAD_ROUTE, ...own]);
  return app;
}
