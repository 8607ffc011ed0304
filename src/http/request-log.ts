import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { Metrics } from './metrics.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Text of a search, where queries are logged. */
    queryText: string | null;
  }
}

/** Log lines of the standard level; none of Fastify's own about requests, which hold addresses. */
export function loggerOf(log: { write(line: string): void } | undefined): NonNullable<FastifyServerOptions['logger']> {
  return log ? { level: 'info', stream: log } : false;
}

/**
 * One line and one measure a request. A route is told as its pattern: paths hold keys of files and secrets of uploads.
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
