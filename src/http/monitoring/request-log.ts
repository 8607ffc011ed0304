import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { Settings } from '../server-options.js';
import type { Metrics } from './metrics.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of a search, if queries are logged. */
    queryText: string | null;
  }
}

/** Log lines of errors, and of requests if they are logged; without Fastify's own of these, which contain URLs. */
export function loggerOf({
  log,
  logRequests,
}: Pick<Settings, 'log' | 'logRequests'>): NonNullable<FastifyServerOptions['logger']> {
  return log ? { level: logRequests ? 'info' : 'warn', stream: log } : false;
}

/**
 * One log line and one measurement for each request. Routes are logged as patterns: paths contain keys of files and
 * secrets of uploads.
 */
export function logRequests(app: FastifyInstance, metrics: Metrics): void {
  app.decorateRequest('queryText', null);
  app.addHook('onResponse', async (request, reply) => {
    const { method, caller, targetId, queryText } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const { statusCode: status, elapsedTime } = reply;
    metrics.answered({ method, route, status }, elapsedTime);
    request.log.info(
      {
        method,
        route,
        status,
        milliseconds: Math.round(elapsedTime * 10) / 10,
        ...(caller && { token: caller.id }),
        ...(targetId && { target: targetId }),
        ...(queryText !== null && { query: queryText }),
      },
      'answered',
    );
  });
}
