import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds the connections: where there is one more, that goes on which nothing has been asked for longest. Whoever opens
 * many and asks nothing keeps nobody out, as a bound by `maxConnections`, which refuses the newest, would.
 */
export function boundConnections(server: Server, limit: number): void {
  const running = new Map<Socket, number>();
  const idle = new Set<Socket>();
  const forget = (socket: Socket) => {
    running.delete(socket);
    idle.delete(socket);
  };
  server.on('connection', (socket) => {
    running.set(socket, 0);
    idle.add(socket);
    socket.once('close', () => forget(socket));
    // The new one is among them, and the last: it goes where all others are at work.
    const [longest] = running.size > limit ? idle : [];
    if (!longest) return;
    forget(longest);
    longest.destroy();
  });
  server.on('request', ({ socket }, response) => {
    const count = (change: 1 | -1) => {
      const before = running.get(socket);
      if (before === undefined) return;
      running.set(socket, before + change);
      idle.delete(socket);
      if (before + change === 0) idle.add(socket);
    };
    count(1);
    response.once('close', () => count(-1));
  });
}
