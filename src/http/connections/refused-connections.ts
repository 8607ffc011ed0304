import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { describeExcess } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { errorBody } from '../errors/error-body.js';
import { HttpError } from '../errors/http-error.js';
import type { Connections } from './connections.js';

const CONNECTION_ERRORS: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError('LimitExceeded', `${describeExcess({ limit: LIMITS.header })}: shorten them.`, {
    status: 431,
  }),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('OperationTimeout', 'The request took too long to arrive: try again.', {
    status: 408,
  }),
  HPE_INVALID_METHOD: invalid('does not begin with a method of HTTP, such as GET: send HTTP/1.1, without TLS'),
  HPE_PAUSED_H2_UPGRADE: invalid('is of HTTP/2: send HTTP/1.1'),
  HPE_INVALID_EOF_STATE: invalid('ended before all of it had arrived: send it again'),
};

function invalid(problem: string): HttpError {
  return new HttpError('InvalidPayload', `The request ${problem}.`);
}

/** Why Node refuses bytes that arrive before a request, or instead of its body. `reason` is the parser's message. */
export function connectionError({ code, reason }: { readonly code: string; readonly reason?: string }): HttpError {
  const known = CONNECTION_ERRORS[code];
  return known ?? invalid(`is not valid HTTP${reason === undefined ? '' : ` (${reason})`}: check what sends it`);
}

/** Answers without a request, and ends the connection. */
export function refuseConnection(
  error: HttpError,
  { socket, open }: { readonly socket: Socket; readonly open: Connections },
): void {
  // The caller would mistake it for the answer to an earlier request.
  if (!socket.writable || open.owesAnswer(socket)) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(error));
  const headers = {
    ...error.headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Answers CONNECT, which Node takes for no request: it would end the connection without an answer. */
export function refuseTunnels(server: Server, open: Connections): void {
  const message = 'CONNECT is not allowed: the service is no proxy. Send GET, POST, PUT or DELETE with a path.';
  const error = new HttpError('MethodNotFound', message, {
    headers: { Allow: 'DELETE, GET, HEAD, OPTIONS, POST, PUT' },
  });
  server.on('connect', (_, socket: Socket) => {
    // Node has taken its own listeners and the timeout off the socket.
    socket.on('error', () => {}).resume();
    socket.once('finish', () => socket.destroy());
    refuseConnection(error, { socket, open });
  });
}
