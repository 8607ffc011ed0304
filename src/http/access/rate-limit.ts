import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../errors/http-error.js';
import { MONITORING_PATHS } from '../monitoring/health.js';

/**
 * Counts requests by token, and requests without a valid one by address, so that guessing tokens is limited too. One
 * hook serves all routes: the hooks of a single route would run after its authorization.
 */
export async function limitRate(app: FastifyInstance, requestsPerMinute: number): Promise<void> {
  await app.register(rateLimit, { global: false, enableDraftSpec: true });
  app.addHook(
    'onRequest',
    app.rateLimit({
      max: requestsPerMinute,
      timeWindow: 60_000,
      keyGenerator: ({ caller, ip }) => caller?.id ?? ip,
      allowList: ({ routeOptions: { url } }) => url !== undefined && MONITORING_PATHS.includes(url),
      errorResponseBuilder: (_, { max, ttl }) =>
        new HttpError(
          'RateLimited',
          `More than ${max} requests in a minute: try again in ${Math.ceil(ttl / 1000)} seconds.`,
        ),
    }),
  );
}
