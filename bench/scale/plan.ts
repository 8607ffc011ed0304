import type { Measured } from './measured.js';

/** A machine that a node runs on. */
export interface Machine {
  readonly cores: number;
  /** GB of memory. */
  readonly memory: number;
}

/** How vectors are kept in memory; those on the disk stay as they are. */
export interface Compression {
  readonly name: string;
  /** Bytes for each dimension. */
  readonly bytes: number;
}

export const COMPRESSIONS: readonly Compression[] = [
  { name: 'none', bytes: 4 },
  { name: 'rotational, 8 bits', bytes: 1 },
  { name: 'rotational, 1 bit', bytes: 1 / 8 },
];

export interface PlanOptions {
  readonly passages: number;
  readonly machine: Machine;
  readonly compression: Compression;
  /** Copies of everything. */
  readonly replicas: number;
  readonly dimensions: number;
  /** Searches a second at the busiest time. */
  readonly searches: number;
}

/** What so many passages need. */
export interface Plan {
  /** Nodes for the memory, one for each replica of a bot; for the searches; and for both. */
  readonly nodes: { readonly forMemory: number; readonly forSearches: number; readonly all: number };
  /** GB of memory and disk of all nodes together. */
  readonly memory: number;
  readonly disk: number;
  /** The fewest bots that the passages can be divided among, so that each fits into a node. */
  readonly bots: number;
  /** Hours that indexing takes: for the nodes, and for one machine with two cores that embeds. */
  readonly hours: { readonly nodes: number; readonly embedding: number };
}

/** The share of its memory that a node fills, so that Go collects garbage and a neighbour may fail. */
const FILLED = 0.6;

/** The share of its time that a core is busy at the busiest time. */
const BUSY = 0.5;

/** Nodes, memory, disk and time for so many passages, from what was measured with fewer. */
export function planOf(measured: Measured, options: PlanOptions): Plan {
  const { passages, machine, compression, replicas, dimensions, searches } = options;
  // The vectors are what compression changes; the graph and the rest stay.
  const vectors = dimensions * 4;
  const memoryOfOne = Math.max(0, measured.memory - vectors) + dimensions * compression.bytes;
  const memory = (passages * replicas * memoryOfOne) / 1e9;
  const fits = (machine.memory * 1e9 * FILLED) / memoryOfOne;
  const bots = Math.ceil(passages / fits);
  // A search reads one replica of one bot.
  const search = measured.search * (passages / bots / measured.passages) ** measured.growth;
  // Of so few bots, each replica takes more than half of what a node has room for, so that a second does not fit.
  const forMemory = bots * replicas;
  const forSearches = Math.ceil((searches * search) / (machine.cores * BUSY));
  const all = Math.max(forMemory, forSearches);
  return {
    nodes: { forMemory, forSearches, all },
    memory,
    disk: (passages * replicas * measured.disk) / 1e9,
    bots,
    hours: {
      // Measured with three replicas.
      nodes: (passages * measured.indexing * (replicas / 3)) / (all * machine.cores) / 3600,
      embedding: (passages * measured.embedding) / 2 / 3600,
    },
  };
}
