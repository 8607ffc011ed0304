import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { unavailable } from '../errors/http-error.js';
import { whenOver } from './when-over.js';

/**
 * Makes a closing service finish running requests, refuse new ones, and then end its connections; after `grace`
 * milliseconds it ends them in any case. Node alone would wait for connections that are kept alive or have not been
 * used yet, and for requests and answers that take their time.
 */
export function shutDownGracefully(app: FastifyInstance, grace: number): void {
  let running = 0;
  let stopping = false;
  const endIfDone = () => {
    if (stopping && running === 0 && !app.server.listening) app.server.closeAllConnections();
  };
  app.addHook('onRequest', async (_, reply) => {
    running += 1;
    whenOver(reply, () => {
      running -= 1;
      endIfDone();
    });
    if (stopping) throw unavailable('The service is stopping: try again in a moment.', 5);
  });
  app.addHook('onSend', async (_, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    stopping = true;
    afterListening().then(endIfDone);
    const cut = setTimeout(() => app.server.closeAllConnections(), grace);
    app.server.once('close', () => clearTimeout(cut));
  });
  /** The server stops listening after the preClose hooks. */
  async function afterListening(): Promise<void> {
    while (app.server.listening) await setImmediate();
  }
}
