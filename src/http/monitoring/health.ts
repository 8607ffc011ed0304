import type { FastifyInstance } from 'fastify';
import type { Host } from '../../index.js';
import { unavailable } from '../errors/http-error.js';
import type { Serving } from '../serving.js';

/** Paths for monitoring: they need no token and do not count for the rate limit. */
export const MONITORING_PATHS: readonly string[] = ['/healthz', '/readyz', '/metrics'];

/** Milliseconds without progress after which indexing is stuck: the longest text is parsed or given up sooner. */
const STALLED = 5 * 60_000;

/**
 * `/healthz`: the process answers. `/readyz`: the database does too, and uploads are being indexed. `/metrics`:
 * measurements for Prometheus.
 */
export function serveHealth(app: FastifyInstance, { host, metrics }: Pick<Serving, 'host' | 'metrics'>): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    const { pending, stalled } = statusOf(host);
    if (stalled < STALLED) return { status: 'ready', pending };
    const minutes = Math.floor(stalled / 60_000);
    throw unavailable(
      `The service is not ready: of ${pending} waiting uploads none has made progress for ${minutes} minutes. ` +
        'Restart it.',
      60,
    );
  });
  app.get('/metrics', async (_, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}

function statusOf(host: Host): ReturnType<Host['status']> {
  try {
    return host.status();
  } catch {
    throw unavailable('The service is not ready: its database does not answer.', 5);
  }
}
