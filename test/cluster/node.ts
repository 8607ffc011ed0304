import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Ports } from './ports.js';

/** What a node is started with. */
export interface NodeOptions {
  readonly binary: string;
  /** Unique in the cluster. */
  readonly name: string;
  readonly ports: Ports;
  /** Where the node listens, and where the others reach it. */
  readonly address: string;
  /** The beginning of its command line, with which it runs on another host. */
  readonly enter: readonly string[];
  /** Of its data and its log. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The address of nodes that share this host. */
export const LOOPBACK = '127.0.0.1';

/** How many lines of a node's log an error shows. */
const SHOWN_LINES = 15;

/** A process that runs Weaviate, started again and again on the same ports and data. */
export class ClusterNode {
  readonly name: string;
  readonly address: string;
  readonly ports: Ports;
  readonly #options: NodeOptions;
  readonly #log: string;
  #process: ChildProcess | undefined;
  #isPaused = false;

  constructor(options: NodeOptions) {
    this.name = options.name;
    this.address = options.address;
    this.ports = options.ports;
    this.#options = options;
    this.#log = path.join(options.folder, `${options.name}.log`);
  }

  /** Whether its process exists, paused or not. */
  get isAlive(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Whether its process exists and is not paused. */
  get isRunning(): boolean {
    return this.isAlive && !this.#isPaused;
  }

  /** Starts the process; `join` has the gossip addresses of members, none for the first. */
  start(join: readonly string[]): void {
    const { address, binary, enter, env, folder, name, ports } = this.#options;
    const data = path.join(folder, name);
    mkdirSync(data, { recursive: true });
    const log = openSync(this.#log, 'a');
    // It ends when its stdin ends, to which nobody writes: see server/parent.go.
    const [command = binary, ...words] = [...enter, binary, '--host', address, '--port', String(ports.http)];
    this.#process = spawn(command, [...words, '--scheme', 'http'], {
      cwd: folder,
      env: { ...env, ...environmentOf(this.#options), PERSISTENCE_DATA_PATH: data, CLUSTER_JOIN: join.join(',') },
      stdio: ['pipe', log, log],
    });
    this.#isPaused = false;
    closeSync(log);
  }

  /** Sends a signal and waits for the end of the process; a paused one is continued first, unless it is killed. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const process = this.#process;
    if (!process || !this.isAlive) return;
    const ended = once(process, 'exit');
    process.kill(signal);
    if (this.#isPaused) process.kill('SIGCONT');
    await ended;
  }

  pause(): void {
    this.#aliveProcess().kill('SIGSTOP');
    this.#isPaused = true;
  }

  resume(): void {
    this.#aliveProcess().kill('SIGCONT');
    this.#isPaused = false;
  }

  /** The id of its process, which must be alive. */
  get pid(): number {
    const { pid } = this.#aliveProcess();
    if (pid === undefined) throw new Error(`${this.name} did not start`);
    return pid;
  }

  /** Resident memory in bytes. */
  memory(): number {
    if (process.platform !== 'linux') {
      return 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.pid)], { encoding: 'utf8' }));
    }
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? [];
    return 1024 * Number(kilobytes);
  }

  /** The last lines of its log. */
  logEnd(): string {
    const lines = readFileSync(this.#log, 'utf8').trimEnd().split('\n');
    return lines.slice(-SHOWN_LINES).join('\n');
  }

  #aliveProcess(): ChildProcess {
    if (!this.#process || !this.isAlive) throw new Error(`${this.name} does not run: restart it first`);
    return this.#process;
  }
}

function environmentOf({ address, name, ports }: NodeOptions): Record<string, string> {
  return {
    // A node with an address to advertise expects the others to be far away, and forgets a lost one after 40 s.
    ...(address === LOOPBACK && {
      CLUSTER_IN_LOCALHOST: 'true',
      CLUSTER_ADVERTISE_ADDR: LOOPBACK,
      CLUSTER_BIND_ADDR: LOOPBACK,
    }),
    CLUSTER_HOSTNAME: name,
    CLUSTER_GOSSIP_BIND_PORT: String(ports.gossip),
    CLUSTER_DATA_BIND_PORT: String(ports.data),
    RAFT_PORT: String(ports.raft),
    RAFT_INTERNAL_RPC_PORT: String(ports.raftInternal),
    GRPC_PORT: String(ports.grpc),
  };
}
