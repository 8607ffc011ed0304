import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { serverBinary } from './build.js';
import { createNetwork, type Network } from './network.js';
import { ClusterNode, LOOPBACK } from './node.js';
import { freePorts, type Ports } from './ports.js';

export interface ClusterOptions {
  /** How many nodes; defaults to 3. */
  readonly nodes?: number;
  /** The key that clients must send. Without one, anybody may do everything. */
  readonly apiKey?: string;
  /** More variables of every node, such as `MEMBERLIST_FAST_FAILURE_DETECTION`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds until the nodes must be ready; defaults to 5 minutes, for a machine that is busy elsewhere. */
  readonly deadline?: number;
  /**
   * Whether nodes have hosts of their own, so that `network` can separate them; see `noNetworks`. Defaults to false.
   */
  readonly hasNetwork?: boolean;
  /** Where data and logs go, which `stop` removes; defaults to a new temporary folder. */
  readonly folder?: string;
}

/** Where a node answers. */
export interface Host {
  /** `address:port` of REST; the address is 127.0.0.1, unless the cluster has a network. */
  readonly http: string;
  /** Port of gRPC on the same address. */
  readonly grpc: number;
}

/** A running cluster; nodes are counted from 0. It ends with this process, however that ends. */
export interface Cluster extends AsyncDisposable {
  readonly hosts: readonly Host[];
  /** Between the nodes, counted like them. */
  readonly network: Network | undefined;
  /** Has the data and the log of each node. */
  readonly folder: string;
  /** The process id of a node. */
  pid(node: number): number;
  /** Whether the process of a node exists, paused or not. */
  isAlive(node: number): boolean;
  /** Ends a node at once (SIGKILL). */
  kill(node: number): Promise<void>;
  /** Stops a node (SIGSTOP): it keeps its connections, and answers nothing. */
  pause(node: number): void;
  /** Lets a paused node go on. */
  resume(node: number): void;
  /**
   * Starts nodes with their ports and data, and waits until all running nodes see them; a running one is stopped first
   * (SIGTERM). After the loss of a majority, pass all missing nodes: none becomes ready alone.
   */
  restart(...nodes: number[]): Promise<void>;
  /** Sets the keys that nodes accept, each from its next start on. Nodes that run must accept the first of them. */
  allowKeys(...keys: readonly string[]): void;
  /** Resident memory of a node in bytes. */
  memory(node: number): number;
  /** Ends all nodes and removes their data. */
  stop(): Promise<void>;
}

/** Variables with which a node that was away gets what it has missed within seconds; by default, within a minute. */
export const CATCH_UP_SOON = {
  ASYNC_REPLICATION_FREQUENCY: '1s',
  ASYNC_REPLICATION_ALIVE_NODES_CHECKING_FREQUENCY: '1s',
  ASYNC_REPLICATION_PROPAGATION_DELAY: '1s',
};

/** How often a cluster is started on other ports, as another process took one of its own. */
const ATTEMPTS = 5;

/** Names of users with a key are needed, but mean nothing here. */
const USER = 'waymark';

/** The variable with the keys that a node accepts, separated by commas. */
const KEYS = 'AUTHENTICATION_APIKEY_ALLOWED_KEYS';

class PortTaken extends Error {}

/** Starts a cluster on loopback, and waits until every node sees all others as healthy. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const binary = await serverBinary();
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(binary, options);
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function startOnce(binary: string, options: ClusterOptions): Promise<Cluster> {
  const { hasNetwork = false, nodes: count = 3 } = options;
  const ports = await freePorts(count);
  const folder = options.folder ?? mkdtempSync(path.join(tmpdir(), 'waymark-cluster-'));
  const network = hasNetwork ? createNetwork(count) : undefined;
  const own = hasNetwork ? ports.map(() => ports[0] as Ports) : ports;
  const env = environmentOf(own, options);
  const nodes = own.map((each, i) => {
    const place = { address: network?.addresses[i] ?? LOOPBACK, enter: network?.enter(i) ?? [] };
    return new ClusterNode({ binary, name: nameOf(i), ports: each, ...place, folder, env });
  });
  const running = new RunningCluster(nodes, { folder, network, env }, options);
  try {
    await running.restart(...nodes.keys());
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

class RunningCluster implements Cluster {
  readonly hosts: readonly Host[];
  readonly folder: string;
  readonly network: Network | undefined;
  readonly #nodes: readonly ClusterNode[];
  readonly #env: Record<string, string>;
  readonly #deadline: number;

  constructor(
    nodes: readonly ClusterNode[],
    { folder, network, env }: Pick<Cluster, 'folder' | 'network'> & { readonly env: Record<string, string> },
    { deadline = 300_000 }: ClusterOptions,
  ) {
    this.hosts = nodes.map(({ address, ports }) => ({ http: `${address}:${ports.http}`, grpc: ports.grpc }));
    this.folder = folder;
    this.network = network;
    this.#nodes = nodes;
    this.#env = env;
    this.#deadline = deadline;
  }

  pid(node: number): number {
    return this.#node(node).pid;
  }

  isAlive(node: number): boolean {
    return this.#node(node).isAlive;
  }

  kill(node: number): Promise<void> {
    return this.#node(node).end('SIGKILL');
  }

  pause(node: number): void {
    this.#node(node).pause();
  }

  resume(node: number): void {
    this.#node(node).resume();
  }

  async restart(...nodes: number[]): Promise<void> {
    const starting = nodes.map((node) => this.#node(node));
    const end = Date.now() + this.#deadline;
    for (const node of starting) await node.end('SIGTERM');
    for (const node of starting) {
      node.start(this.#nodes.filter((other) => other.isRunning && other !== node).map(gossipOf));
      // A node that joins must find another one.
      await this.#until(() => listens(node), { nodes: [node], end, what: 'listens for members' });
    }
    const running = this.#nodes.filter(({ isRunning }) => isRunning);
    await this.#until(
      async () => (await Promise.all(running.map((node) => this.#sees(node, running)))).every(Boolean),
      { nodes: starting, end, what: `is ready and sees ${running.length} healthy nodes` },
    );
  }

  allowKeys(...keys: readonly string[]): void {
    this.#env[KEYS] = keys.join(',');
  }

  memory(node: number): number {
    return this.#node(node).memory();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.end('SIGKILL')));
    this.network?.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #headers(): Record<string, string> {
    const [key] = this.#env[KEYS]?.split(',') ?? [];
    return key === undefined ? {} : { authorization: `Bearer ${key}` };
  }

  #node(node: number): ClusterNode {
    const found = this.#nodes[node];
    if (!found) throw new Error(`There is no node ${node}: the cluster has nodes 0 to ${this.#nodes.length - 1}.`);
    return found;
  }

  /** Whether a node is ready and says that others are healthy. */
  async #sees(node: ClusterNode, others: readonly ClusterNode[]): Promise<boolean> {
    const base = `http://${node.address}:${node.ports.http}/v1`;
    const signal = AbortSignal.timeout(10_000);
    try {
      const ready = await fetch(`${base}/.well-known/ready`, { signal });
      if (!ready.ok) return false;
      const response = await fetch(`${base}/nodes`, { headers: this.#headers(), signal });
      if (!response.ok) return false;
      const { nodes } = (await response.json()) as { nodes: readonly { name: string; status: string }[] };
      const healthy = new Set(nodes.filter(({ status }) => status === 'HEALTHY').map(({ name }) => name));
      return others.every(({ name }) => healthy.has(name));
    } catch {
      return false;
    }
  }

  async #until(
    holds: () => Promise<boolean>,
    { nodes, end, what }: { nodes: readonly ClusterNode[]; end: number; what: string },
  ): Promise<void> {
    while (!(await holds())) {
      const ended = nodes.find(({ isAlive }) => !isAlive);
      if (ended) throw endOf(ended);
      if (Date.now() > end) {
        const names = nodes.map(({ name }) => name).join(', ');
        const logs = nodes.map((node) => `${node.name}:\n${node.logEnd()}`).join('\n\n');
        throw new Error(
          `After ${this.#deadline} ms, not every one of ${names} ${what}. The end of their logs:\n${logs}`,
        );
      }
      await setTimeout(100);
    }
  }
}

/** Why a node ended, by its log. */
function endOf(node: ClusterNode): Error {
  const log = node.logEnd();
  const message = `${node.name} ended before it was ready. The end of its log:\n${log}`;
  return /address already in use/.test(log) ? new PortTaken(message) : new Error(message);
}

function environmentOf(ports: readonly Ports[], { apiKey, env }: ClusterOptions): Record<string, string> {
  const { PATH = '' } = process.env;
  return {
    PATH,
    RAFT_JOIN: ports.map(({ raft }, i) => `${nameOf(i)}:${raft}`).join(','),
    RAFT_BOOTSTRAP_EXPECT: String(ports.length),
    DEFAULT_VECTORIZER_MODULE: 'none',
    DISABLE_TELEMETRY: 'true',
    GO_PROFILING_DISABLE: 'true',
    LOG_LEVEL: 'warning',
    // As in docs/deploy: searches by words are slow while what was written is in memory only.
    PERSISTENCE_MEMTABLES_FLUSH_DIRTY_AFTER_SECONDS: '10',
    AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED: String(apiKey === undefined),
    ...(apiKey !== undefined && {
      AUTHENTICATION_APIKEY_ENABLED: 'true',
      [KEYS]: apiKey,
      AUTHENTICATION_APIKEY_USERS: USER,
    }),
    ...env,
  };
}

function nameOf(node: number): string {
  return `node${node + 1}`;
}

function gossipOf({ address, ports }: ClusterNode): string {
  return `${address}:${ports.gossip}`;
}

/** Whether a node can be joined. */
function listens({ address, ports }: ClusterNode): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(ports.gossip, address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
