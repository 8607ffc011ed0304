import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describeExcess } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import type { Connections } from '../connections/connections.js';
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

const CONNECTION_ERRORS: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError('LimitExceeded', `${describeExcess({ limit: LIMITS.header })}: shorten them.`, {
    status: 431,
  }),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('OperationTimeout', 'The request took too long to arrive.', { status: 408 }),
};

/** Answers what Node refuses before a request exists. */
export function refuseConnection(
  { code }: Pick<FastifyError, 'code'>,
  { socket, open }: { socket: Socket; open: Connections },
): void {
  // The caller would mistake it for the answer to an earlier request.
  if (!socket.writable || code === 'ECONNRESET' || open.owesAnswer(socket)) {
    socket.destroy();
    return;
  }
  const error = CONNECTION_ERRORS[code] ?? new HttpError('InvalidPayload', 'This is not a valid HTTP request.');
  const body = JSON.stringify(errorBody(error));
  const head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nContent-Type: application/json\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}
