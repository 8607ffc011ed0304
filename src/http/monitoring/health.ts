import type { FastifyInstance } from 'fastify';
import { unavailable } from '../errors/http-error.js';
import type { Serving } from '../serving.js';

/** Paths for monitoring: they need no token and do not count for the rate limit. */
export const MONITORING_PATHS: readonly string[] = ['/healthz', '/readyz', '/metrics'];

/** `/healthz`: the process answers. `/readyz`: the database does too. `/metrics`: measurements for Prometheus. */
export function serveHealth(app: FastifyInstance, { host, metrics }: Pick<Serving, 'host' | 'metrics'>): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    try {
      const { pending } = await host.status();
      return { status: 'ready', pending };
    } catch {
      throw unavailable('The service is not ready: its database does not answer.', 5);
    }
  });
  app.get('/metrics', async (_, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}
