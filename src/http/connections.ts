import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server, each with its requests that are not answered yet. */
export class Connections {
  readonly #running = new Map<Socket, Set<IncomingMessage>>();
  /** Those without a request, for longest first. */
  readonly #idle = new Set<Socket>();

  /**
   * Where there is one more than the limit, that goes on which nothing has been asked for longest. Whoever opens many and
   * asks nothing keeps nobody out, as a bound by `maxConnections`, which refuses the newest, would.
   */
  bound(server: Server, limit: number): void {
    server.on('connection', (socket) => {
      this.#running.set(socket, new Set());
      this.#idle.add(socket);
      socket.once('close', () => this.#forget(socket));
      // The new one is among them, and the last: it goes where all others are at work.
      const [longest] = this.#running.size > limit ? this.#idle : [];
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

  /** Whether a request came whole on a connection and is not answered yet. */
  owesAnswer(socket: Socket): boolean {
    return [...(this.#running.get(socket) ?? [])].some((request) => request.complete);
  }

  #forget(socket: Socket): void {
    this.#running.delete(socket);
    this.#idle.delete(socket);
  }
}
