import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Connections } from './connections.js';
import { errorBody, httpError } from './error-body.js';
import { HttpError } from './http-error.js';

/** Everything that goes wrong is answered as the contract's error body. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(async (request) => {
    throw new HttpError(
      'ResourceNotFound',
      `There is no such address for ${request.method}: /docs tells those that there are.`,
    );
  });
}

/** What a caller is not told goes to the log, by the id that the caller gets. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = httpError(error, request);
  const body = errorBody(known);
  if (known.status === 500) request.log.error({ err: known.cause, error: body.id }, 'failed');
  reply.code(known.status).headers(known.headers).send(body);
}

const OF_CONNECTION: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError('LimitExceeded', 'The headers, the address with them, are too long.', {
    status: 431,
  }),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('OperationTimeout', 'The request did not come in time.', { status: 408 }),
};

/** What Node refuses before there is a request. */
export function refuseConnection(
  { code }: Pick<FastifyError, 'code'>,
  { socket, open }: { socket: Socket; open: Connections },
): void {
  // A refusal in front of an answer that is still owed would be taken for that.
  if (!socket.writable || code === 'ECONNRESET' || open.owesAnswer(socket)) {
    socket.destroy();
    return;
  }
  const error = OF_CONNECTION[code] ?? new HttpError('InvalidPayload', 'This is not a valid HTTP request.');
  const body = JSON.stringify(errorBody(error));
  const head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nContent-Type: application/json\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}
