import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Host } from '../index.js';
import { answerError, answerErrors, refuseConnection } from './answer-errors.js';
import { callerOf } from './caller.js';
import { Connections } from './connections.js';
import { serveDocumentation } from './documentation.js';
import { CONTENT, serveContent } from './file-content.js';
import { serveHealth } from './health.js';
import { acceptJson } from './json-body.js';
import { checkLoopback, isLoopback } from './loopback.js';
import { refuseOtherMethods } from './method-not-allowed.js';
import { Metrics } from './metrics.js';
import { OPERATIONS } from './operations.js';
import { Places } from './places.js';
import { limitRate } from './rate-limit.js';
import { loggerOf, logRequests } from './request-log.js';
import { serveOperation } from './serve-operation.js';
import { type ServerOptions, settingsOf } from './server-options.js';
import { stopInOrder } from './stopping.js';
import { serveUploads, UPLOAD } from './uploads.js';

const BODY_LIMIT = 1024 * 1024;
const MAX_HEADER_SIZE = 32 * 1024;

/** Percent-encoded, a key of 1,000 characters. */
const LONGEST_PARAMETER = 12_000;

/** The contract over HTTP, and what a service needs beside it. It listens when `listen` is called. */
export async function createServer(host: Host, options: ServerOptions = {}): Promise<FastifyInstance> {
  const settings = settingsOf(options);
  const { connections, checkInterval, headersTimeout, ...timeouts } = settings.connectionLimits;
  const open = new Connections();
  const app = Fastify({
    ...timeouts,
    bodyLimit: BODY_LIMIT,
    http: { headersTimeout, maxHeaderSize: MAX_HEADER_SIZE, connectionsCheckingInterval: checkInterval },
    logger: loggerOf(settings.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: answerError,
    clientErrorHandler: (error, socket) => refuseConnection(error, { socket, open }),
  });
  open.bound(app.server, connections);
  const places = new Places(settings.searchesAtOnce);
  const metrics = new Metrics({ host, places });
  const serving = { host, settings, metrics, places };
  answerErrors(app);
  acceptJson(app);
  app.decorateRequest('caller', null);
  app.decorateRequest('targetId', '');
  stopInOrder(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    if (isLoopback(settings.host)) checkLoopback(request, settings.publicUrl);
    request.caller = await callerOf(request, host);
  });
  logRequests(app, metrics);
  await limitRate(app, settings.requestsPerMinute);
  for (const operation of OPERATIONS) serveOperation(app, operation, serving);
  serveContent(app, serving);
  serveUploads(app, serving);
  serveHealth(app, serving);
  serveDocumentation(app);
  const watched = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'];
  refuseOtherMethods(app, [...OPERATIONS, CONTENT, UPLOAD, ...watched.map((path) => ({ method: 'GET', path }))]);
  return app;
}
