import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server, with their unanswered requests. */
export class Connections {
  readonly #running = new Map<Socket, Set<IncomingMessage>>();
  /** Those without a request, the longest idle first. */
  readonly #idle = new Set<Socket>();

  /**
   * Evicts the longest idle connection when there are more than `maximum`, so that a caller with many idle connections
   * cannot lock others out; `maxConnections` would refuse the newest connection instead.
   */
  limit(server: Server, maximum: number): void {
    server.on('connection', (socket) => {
      this.#running.set(socket, new Set());
      this.#idle.add(socket);
      socket.once('close', () => this.#forget(socket));
      // The new one is the last of the idle: it is evicted if all others are busy.
      const [longest] = this.#running.size > maximum ? this.#idle : [];
      if (!longest) return;
      this.#forget(longest);
      longest.destroy();
    });
    server.on('request', (request, response) => {
      const { socket } = request;
      const requests = this.#running.get(socket);
      if (!requests) return;
      requests.add(request);
      this.#idle.delete(socket);
      response.once('close', () => {
        requests.delete(request);
        if (requests.size === 0 && this.#running.has(socket)) this.#idle.add(socket);
      });
    });
  }

  /** Whether a connection has a request that was received completely and is not answered yet. */
  owesAnswer(socket: Socket): boolean {
    return [...(this.#running.get(socket) ?? [])].some((request) => request.complete);
  }

  #forget(socket: Socket): void {
    this.#running.delete(socket);
    this.#idle.delete(socket);
  }
}
