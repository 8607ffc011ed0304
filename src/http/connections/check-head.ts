import type { IncomingMessage, Server } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.js';

/** Whether the caller sends a body that it has announced is not known: the connection cannot be used again. */
const CLOSE = { headers: { connection: 'close' } };

/**
 * Returns a function that checks the head of a request, and throws `InvalidQuery`. Without it, Node would refuse some
 * requests with an empty answer, use the first of several Host headers, and take compressed bodies for plain ones.
 */
export function headChecker(server: Server): (request: Pick<FastifyRequest, 'raw'>) => void {
  const unmet = new WeakSet<IncomingMessage>();
  server.on('checkExpectation', (request, response) => {
    unmet.add(request);
    server.emit('request', request, response);
  });
  return ({ raw }) => {
    if (unmet.has(raw)) {
      const message = `Expect must be 100-continue; it is ${JSON.stringify(raw.headers.expect)}: leave it out.`;
      throw new HttpError('InvalidQuery', message, { status: 417, ...CLOSE });
    }
    const coding = raw.headers['transfer-encoding'] ?? 'chunked';
    if (!/^chunked$/i.test(coding)) {
      const message = `Transfer-Encoding must be chunked; it is ${JSON.stringify(coding)}: send the body as it is.`;
      throw new HttpError('InvalidQuery', message, CLOSE);
    }
    const hosts = raw.rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length;
    if (hosts === 1 || (hosts === 0 && raw.httpVersion !== '1.1')) return;
    const message = `A request must have one Host header; this one has ${hosts}: send the name of the service in it.`;
    throw new HttpError('InvalidQuery', message, CLOSE);
  };
}
