import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { unavailable } from './http-error.js';

/**
 * A service that is closed finishes what runs, refuses what comes, and then ends its connections: Node alone would
 * wait for those that are kept open, and for those on which nothing was asked yet.
 */
export function stopInOrder(app: FastifyInstance): void {
  let running = 0;
  let stopping = false;
  const endIfDone = () => {
    if (stopping && running === 0 && !app.server.listening) app.server.closeAllConnections();
  };
  app.addHook('onRequest', async (_, reply) => {
    running += 1;
    reply.raw.once('close', () => {
      running -= 1;
      endIfDone();
    });
    if (stopping) throw unavailable('The service is stopping: ask again in a moment.', 5);
  });
  app.addHook('onSend', async (_, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    stopping = true;
    afterListening().then(endIfDone);
  });
  /** The server stops listening after the hooks before its close. */
  async function afterListening(): Promise<void> {
    while (app.server.listening) await setImmediate();
  }
}
