import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/**
 * What a proxy does with connections, those that exist included:
 * - `forward` passes on what both sides send;
 * - `drop` keeps connections and passes on nothing, as a network that loses all packets;
 * - `refuse` ends all connections, and each new one at once, as a process that has ended.
 */
export type Mode = 'forward' | 'drop' | 'refuse';

/** A TCP proxy in front of a port of loopback. */
export interface PortProxy extends AsyncDisposable {
  /** Where it listens, on 127.0.0.1. */
  readonly port: number;
  mode: Mode;
  /** Milliseconds that each piece waits on its way, in both directions; 0 at first. Pieces stay in order. */
  delay: number;
  /** How many connections it has. */
  readonly connections: number;
  close(): Promise<void>;
}

/**
 * Forwards TCP connections to a port of a node, for a client that is cut off from it or is far away. Requests between
 * nodes do not pass it: a node tells the others the port where it listens itself, by gossip, whose UDP is not forwarded
 * either. `Cluster.pause` cuts a node off from all.
 */
export async function startProxy(target: number): Promise<PortProxy> {
  const server = createServer({ allowHalfOpen: true });
  const proxy = new TcpProxy(server, target);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return proxy;
}

/** The two ends of a connection through the proxy, and what passes pieces on between them. */
interface Connection {
  readonly ends: readonly [Socket, Socket];
  readonly ways: readonly [Way, Way];
}

class TcpProxy implements PortProxy {
  readonly #server: Server;
  readonly #target: number;
  readonly #connections = new Set<Connection>();
  #mode: Mode = 'forward';
  delay = 0;

  constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    server.on('connection', (socket) => this.#accept(socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#connections.size;
  }

  get mode(): Mode {
    return this.#mode;
  }

  set mode(mode: Mode) {
    this.#mode = mode;
    for (const { ends, ways } of this.#connections) {
      if (mode === 'refuse') for (const end of ends) end.resetAndDestroy();
      else for (const way of ways) way.isOpen = mode === 'forward';
    }
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const { ends } of this.#connections) for (const end of ends) end.destroy();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #accept(client: Socket): void {
    if (this.#mode === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const node = connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true });
    const [there, back] = [new Way(() => this.delay), new Way(() => this.delay)];
    there.isOpen = back.isOpen = this.#mode === 'forward';
    const connection: Connection = { ends: [client, node], ways: [there, back] };
    this.#connections.add(connection);
    for (const end of connection.ends) {
      // The node refuses connections, or one side has reset its own: so does the other side.
      end.on('error', () => {});
      end.on('close', () => {
        const other = connection.ends.find((each) => each !== end);
        // An end without an error passes through both directions, after what was sent before.
        if (end.errored) other?.resetAndDestroy();
        if (connection.ends.every(({ closed }) => closed)) this.#connections.delete(connection);
      });
    }
    client.pipe(there).pipe(node);
    node.pipe(back).pipe(client);
  }
}

/** One direction of a connection: holds pieces while it is closed, and then for the delay. */
class Way extends Transform {
  readonly #delay: () => number;
  #isOpen = true;
  #held: (() => void) | undefined;

  constructor(delay: () => number) {
    super();
    this.#delay = delay;
  }

  set isOpen(isOpen: boolean) {
    this.#isOpen = isOpen;
    const held = this.#held;
    if (!isOpen || !held) return;
    this.#held = undefined;
    held();
  }

  override _transform(piece: Buffer, _: BufferEncoding, passOn: (error: null, piece: Buffer) => void): void {
    this.#whenOpen(() => {
      const delay = this.#delay();
      if (delay === 0) passOn(null, piece);
      else setTimeout(() => passOn(null, piece), delay);
    });
  }

  override _flush(end: () => void): void {
    this.#whenOpen(end);
  }

  #whenOpen(go: () => void): void {
    if (this.#isOpen) go();
    else this.#held = go;
  }
}
