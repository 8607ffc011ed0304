import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/**
 * Hosts for nodes: network namespaces of Linux with one address each, between which this machine routes. The network is
 * partitioned where this machine stops routing. This machine itself reaches all hosts.
 */
export interface Network {
  /** The address of each host. */
  readonly addresses: readonly string[];
  /** The beginning of a command line that runs on a host. */
  enter(host: number): readonly string[];
  /** Drops all packets that one host sends to another, without an error on either. */
  lose(way: Way): void;
  /** Ends all losses. */
  heal(): void;
  /** Removes the hosts. Nothing must run there any more. */
  remove(): void;
}

/** From one host to another. */
export interface Way {
  readonly from: number;
  readonly to: number;
}

/** Why this machine cannot make networks; undefined where it can. */
export function noNetworks(): string | undefined {
  if (process.platform !== 'linux') return 'Networks that can be parted need Linux.';
  if (process.getuid?.() !== 0) return 'Networks that can be parted need root.';
  try {
    const network = createNetwork(2);
    try {
      return reaches(network) ? undefined : NOT_FORWARDED;
    } finally {
      network.remove();
    }
  } catch (error) {
    return `No network could be made: ${(error as Error).message.trim()}`;
  }
}

/** As on a machine with Docker, which sets this policy. */
const NOT_FORWARDED = 'This machine drops what it should forward: run iptables -P FORWARD ACCEPT.';

/**
 * A program that fails unless the host at an address refuses its connection: it can be reached, but does not listen.
 */
const CONNECT = `
  require('node:net')
    .connect(9, process.argv[1])
    .on('error', ({ code }) => process.exit(code === 'ECONNREFUSED' ? 0 : 1));
`;

/** Milliseconds after which a connection that is not refused is lost. */
const LOST_AFTER = 10_000;

/** Whether the second host of a network reaches the first. */
function reaches(network: Network): boolean {
  const [command = '', ...words] = network.enter(1);
  const program = [process.execPath, '-e', CONNECT, network.addresses[0] ?? ''];
  try {
    execFileSync(command, [...words, ...program], { timeout: LOST_AFTER, killSignal: 'SIGKILL', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @throws Error if this machine cannot, with what `ip` says. */
export function createNetwork(hosts: number): Network {
  removeOrphans();
  const network = new NamespaceNetwork(hosts);
  try {
    network.create();
    return network;
  } catch (error) {
    network.remove();
    throw error;
  }
}

/** Prefix of the names of namespaces; the process id, the number of its network, and that of the host follow. */
const PREFIX = 'waymark-';

/** Private addresses: nodes find their own without being told, and expect the others to be near, as in a cluster. */
const RANGE = '10.213';

/** The place of our rules among those of this machine: before its tables of routes. */
const RULE = '100';

/** Networks that this process has made. */
let made = 0;

class NamespaceNetwork implements Network {
  readonly addresses: readonly string[];
  readonly #id = `${process.pid}-${made++}`;
  /** Third part of all addresses; concurrent processes use others. */
  readonly #third = (process.pid + made) % 256;
  readonly #lost: Way[] = [];

  constructor(hosts: number) {
    // Four addresses for each host: the first usable one is that of this machine, the second that of the host.
    this.addresses = Array.from({ length: hosts }, (_, host) => this.#address(host, 2));
  }

  create(): void {
    for (const [host, address] of this.addresses.entries()) {
      const [namespace, link, gateway] = [this.#namespace(host), this.#link(host), this.#address(host, 1)];
      ip('netns', 'add', namespace);
      ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      ip('addr', 'add', `${gateway}/30`, 'dev', link);
      ip('link', 'set', link, 'up');
      ip('-n', namespace, 'addr', 'add', `${address}/30`, 'dev', 'eth0');
      ip('-n', namespace, 'link', 'set', 'lo', 'up');
      ip('-n', namespace, 'link', 'set', 'eth0', 'up');
      ip('-n', namespace, 'route', 'add', 'default', 'via', gateway);
      // For this link only: whether this machine routes for others is not changed.
      writeFileSync(`/proc/sys/net/ipv4/conf/${link}/forwarding`, '1');
    }
  }

  enter(host: number): readonly string[] {
    return ['ip', 'netns', 'exec', this.#namespace(host)];
  }

  lose(way: Way): void {
    ip('rule', 'add', ...this.#blackHole(way));
    this.#lost.push(way);
  }

  heal(): void {
    for (const way of this.#lost.splice(0)) ip('rule', 'del', ...this.#blackHole(way));
  }

  remove(): void {
    this.heal();
    for (const namespace of namespaces().filter((name) => name.startsWith(`${PREFIX}${this.#id}-`))) {
      // Takes its link with it.
      ip('netns', 'del', namespace);
    }
  }

  #address(host: number, last: number): string {
    return `${RANGE}.${this.#third}.${4 * host + last}`;
  }

  #namespace(host: number): string {
    return `${PREFIX}${this.#id}-${host}`;
  }

  /** At most 15 characters. */
  #link(host: number): string {
    return `wm${this.#id}-${host}`;
  }

  #blackHole({ from, to }: Way): string[] {
    const [source, target] = [this.addresses[from], this.addresses[to]];
    if (source === undefined || target === undefined) throw new Error(`There is no way from host ${from} to ${to}.`);
    return ['pref', RULE, 'from', source, 'to', target, 'blackhole'];
  }
}

function ip(...words: readonly string[]): string {
  return execFileSync('ip', words, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
}

function namespaces(): string[] {
  const lines = ip('netns', 'list').split('\n');
  return lines.map((line) => line.split(' ')[0] as string).filter((name) => name.startsWith(PREFIX));
}

/** Removes what killed processes have left. */
function removeOrphans(): void {
  for (const namespace of namespaces()) {
    const pid = Number(namespace.slice(PREFIX.length).split('-')[0]);
    if (!isAlive(pid)) ip('netns', 'del', namespace);
  }
  // A rule does not name its owner, so rules are removed once there is no network.
  if (namespaces().length > 0) return;
  const rules = JSON.parse(ip('-j', 'rule', 'list', 'pref', RULE)) as readonly { src: string; dst?: string }[];
  for (const { src, dst } of rules) {
    if (src.startsWith(RANGE) && dst) ip('rule', 'del', 'pref', RULE, 'from', src, 'to', dst, 'blackhole');
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
