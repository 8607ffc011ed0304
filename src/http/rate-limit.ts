import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error.js';

const WATCHED = ['/healthz', '/readyz', '/metrics'];

/**
 * Counts requests by token, and by address those that come without a valid one, so that guessing tokens is counted, too.
 * For all routes at once: a hook of each route would come after its authorization.
 */
export async function limitRate(app: FastifyInstance, requestsPerMinute: number): Promise<void> {
  await app.register(rateLimit, { global: false, enableDraftSpec: true });
  app.addHook(
    'onRequest',
    app.rateLimit({
      max: requestsPerMinute,
      timeWindow: 60_000,
      keyGenerator: ({ caller, ip }) => caller?.id ?? ip,
      allowList: ({ routeOptions: { url } }) => url !== undefined && WATCHED.includes(url),
      errorResponseBuilder: (_, { max, ttl }) =>
        new HttpError(
          'RateLimited',
          `More than ${max} requests in a minute: ask again in ${Math.ceil(ttl / 1000)} seconds.`,
        ),
    }),
  );
}
