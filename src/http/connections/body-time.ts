import { clearTimeout, setTimeout } from 'node:timers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { KB } from '../../domain/limits.js';
import type { Settings } from '../server-options.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is stored while it arrives: it may take longer, and is never in memory as a whole. */
    readonly isStreamed?: boolean;
    /** Whether the answer is sent while it is read: it is never in memory as a whole. */
    readonly isAnsweredInParts?: boolean;
  }
}

/** Bytes per second that a streamed body must have on average. */
const SLOWEST = 64 * KB;

/** What Node reports for a request that took too long. */
const TIMEOUT = Object.assign(new Error('The request took too long to arrive.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** Milliseconds that the longest body may take to arrive. */
export function longestBodyTime({ uploadLimit, connectionLimits }: Settings): number {
  return connectionLimits.requestTimeout + streamingTime(uploadLimit);
}

/** Milliseconds that the body of a request may take to arrive: longer by its size if it is streamed. */
export function bodyTime(request: FastifyRequest, { requestTimeout }: Settings['connectionLimits']): number {
  return requestTimeout + (request.routeOptions.config.isStreamed ? streamingTime(bytesToArrive(request)) : 0);
}

function streamingTime(bytes: number): number {
  return Math.ceil((bytes / SLOWEST) * 1000);
}

/** Ends requests whose body takes too long to arrive. Node has one timeout for all: that of the longest body. */
export function limitBodyTime(app: FastifyInstance, limits: Settings['connectionLimits']): void {
  app.addHook('onRequest', async (request) => {
    const { raw, socket } = request;
    if (bytesToArrive(request) === 0) return;
    const end = () => raw.complete || app.server.emit('clientError', TIMEOUT, socket);
    const timer = setTimeout(end, bodyTime(request, limits)).unref();
    // Not with the answer: a refused caller may go on sending. `close` of a request is not emitted at its end.
    const clear = () => {
      clearTimeout(timer);
      raw.off('end', clear);
      socket.off('close', clear);
    };
    raw.once('end', clear);
    socket.once('close', clear);
  });
}

/** Bytes of a body, as announced; a body of unknown length counts as the longest that its route accepts. */
export function bytesToArrive({ headers, routeOptions: { bodyLimit = 0 } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  return Math.min(Number(headers['content-length'] ?? 0), bodyLimit);
}
