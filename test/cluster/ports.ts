import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The ports of a node. */
export interface Ports {
  readonly http: number;
  readonly grpc: number;
  /** Membership, by TCP and UDP. */
  readonly gossip: number;
  /** Requests between nodes. */
  readonly data: number;
  /** The log of the schema. */
  readonly raft: number;
  /** Requests to the leader; on one machine Weaviate expects it at `raft + 1`. */
  readonly raftInternal: number;
}

/**
 * Below the ports that systems hand out by themselves (from 32768 on), so that no connection takes the port of a node
 * that is down for a moment.
 */
const FIRST = 15_000;
const END = 32_000;

/** How many ports in a row a node takes. */
const PER_NODE = 6;

/** Finds ports for nodes that nothing listens at. Another process may take them before a node does: try again then. */
export async function freePorts(nodes: number): Promise<Ports[]> {
  const found: Ports[] = [];
  const taken = new Set<number>();
  for (let tries = 0; found.length < nodes; tries++) {
    if (tries === 1_000) throw new Error(`There are no ${PER_NODE} free ports in a row between ${FIRST} and ${END}.`);
    const first = FIRST + PER_NODE * randomInt(Math.floor((END - FIRST) / PER_NODE));
    const ports = Array.from({ length: PER_NODE }, (_, i) => first + i);
    if (taken.has(first) || !(await allFree(ports))) continue;
    taken.add(first);
    const [http, grpc, gossip, data, raft, raftInternal] = ports as [number, number, number, number, number, number];
    found.push({ http, grpc, gossip, data, raft, raftInternal });
  }
  return found;
}

async function allFree(ports: readonly number[]): Promise<boolean> {
  const free = await Promise.all(ports.flatMap((port) => [isFreeForTcp(port), isFreeForUdp(port)]));
  return free.every(Boolean);
}

/** On all addresses, because Weaviate listens there, except for HTTP. */
async function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    const bound = once(socket, 'listening');
    socket.bind(port);
    await bound;
    socket.close();
    return true;
  } catch {
    return false;
  }
}
