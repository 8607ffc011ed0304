import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { COVERAGE_HEADER } from '../../contract/operations/search.js';

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE'];

/** Headers that pages may read besides those that browsers always show. */
const EXPOSED = [
  ...[COVERAGE_HEADER, 'x-request-id', 'retry-after', 'etag', 'content-disposition', 'content-range', 'accept-ranges'],
  ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
];

/** Seconds for which a browser remembers a preflight. */
const MAX_AGE = 600;

/** Lets pages of these origins call the service (CORS). Nothing is sent without an origin, or to pages of others. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const options: FastifyCorsOptions = {
    origin: [...origins],
    methods: METHODS,
    exposedHeaders: EXPOSED,
    maxAge: MAX_AGE,
  };
  await app.register(cors, {
    // An OPTIONS that is no preflight asks which methods there are.
    delegator: ({ headers }: FastifyRequest, done) =>
      done(null, { ...options, preflight: headers['access-control-request-method'] !== undefined }),
  });
}
