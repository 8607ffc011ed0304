import type { FastifyReply } from 'fastify';
import { disconnected } from '../errors/http-error.js';
import { whenOver } from './when-over.js';

/**
 * Waits until all earlier requests of the connection are answered, so that what is read then can be sent. Throws
 * `OperationTimeout` if the connection ends before.
 */
export async function untilTurn(reply: FastifyReply): Promise<void> {
  const { raw } = reply;
  // Node gives an answer its socket when the one before is finished.
  if (raw.socket) return;
  await new Promise<void>((resolve, reject) => {
    const stopWaiting = whenOver(reply, () => reject(disconnected()));
    raw.once('socket', () => {
      stopWaiting();
      resolve();
    });
  });
}
