import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** What is to be called once a connection has ended. One listener serves all requests of a connection. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once an answer has been sent, or cannot be: at once if its connection has ended already. Node emits no
 * `close` for an answer that waits for an earlier one on its connection when that ends. Returns what stops the waiting.
 */
export function whenOver({ raw, request: { socket } }: FastifyReply, callback: () => void): () => void {
  if (raw.destroyed || socket.destroyed) {
    callback();
    return () => {};
  }
  const ends = waiting.get(socket) ?? listenTo(socket);
  const stop = () => {
    ends.delete(end);
    raw.off('close', end);
  };
  const end = () => {
    stop();
    callback();
  };
  ends.add(end);
  raw.once('close', end);
  return stop;
}

function listenTo(socket: Socket): Set<() => void> {
  const ends = new Set<() => void>();
  waiting.set(socket, ends);
  socket.once('close', () => {
    for (const end of ends) end();
  });
  return ends;
}
