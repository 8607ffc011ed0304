import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A balancer of HTTP requests in front of several services. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** How many requests each service has answered, in the order in which they were given. */
  readonly answered: readonly number[];
}

/**
 * Passes each request on to the next of some services, as a balancer in front of them does; to the one after that if
 * nothing listens there. A request that a service breaks off is answered with 502.
 */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const answered = urls.map(() => 0);
  let turn = 0;
  const passOn = (incoming: IncomingMessage, outgoing: ServerResponse, tried = 0) => {
    const service = turn++ % urls.length;
    const { method, headers } = incoming;
    const sent = request(new URL(incoming.url ?? '/', urls[service]), { method, headers, agent: false });
    // No part of the body has been sent yet, so the request can still go to another service.
    sent.on('socket', (socket) => socket.once('connect', () => incoming.pipe(sent)));
    sent.on('response', (response) => {
      answered[service] = (answered[service] ?? 0) + 1;
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tried + 1 < urls.length) return passOn(incoming, outgoing, tried + 1);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
  };
  const server = createServer((incoming, outgoing) => passOn(incoming, outgoing));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    answered,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
