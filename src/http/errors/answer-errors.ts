import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, httpError } from './error-body.js';
import { HttpError } from './http-error.js';
import { whyNotServed } from './not-served.js';

/** A path that may be meant for a file. */
const KEY_WITH_SLASHES = /^\/v1\/files\/[^/?]+\/[^?]/;

const SEE_DOCS = 'see /docs for those that exist';

/** Answers every failure with the contract's error body. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(async ({ method, url }) => {
    const next = KEY_WITH_SLASHES.test(url) ? 'percent-encode the slashes of a key, as in guides%2Fkeys.md' : SEE_DOCS;
    const message = `No ${method} route has this path: ${next}.`;
    throw new HttpError('ResourceNotFound', whyNotServed({ method, url }) ?? message);
  });
}

/** Answers with an error body. The cause of a failure is only logged, under the id that the caller receives. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = httpError(error, request);
  const body = errorBody(known);
  if (known.cause !== undefined && known.status >= 500)
    request.log.error({ err: known.cause, error: body.id }, 'failed');
  reply.code(known.status).headers(known.headers).send(body);
}
