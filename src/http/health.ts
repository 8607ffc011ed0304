import type { FastifyInstance } from 'fastify';
import { unavailable } from './http-error.js';
import type { Serving } from './serve-operation.js';

/** `/healthz`: the process answers; `/readyz`: it can serve; `/metrics`: how it fares. For machines that watch it. */
export function serveHealth(app: FastifyInstance, { host, metrics }: Pick<Serving, 'host' | 'metrics'>): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    try {
      return { status: 'ready', pending: host.status().pending };
    } catch {
      throw unavailable('The service is not ready: its database does not answer.', 5);
    }
  });
  app.get('/metrics', async (_, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}
