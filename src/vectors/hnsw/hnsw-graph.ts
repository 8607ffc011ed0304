import { damaged, EF_CONSTRUCTION, INITIAL_NODES, M } from './hnsw-file.js';
import { loadHnswlib, type NativeGraph } from './hnswlib.js';

/** Fixed, so that the same vectors added in the same order build the same graph. */
const RANDOM_SEED = 100;

/**
 * An append-only HNSW graph (Malkov and Yashunin, arXiv 1603.09320). Removing or replacing an id turns its node into a
 * tombstone, which searches still traverse but never return.
 *
 * hnswlib's own mechanisms have faults. After markDelete, an insert that reaches only deleted nodes reads past an empty
 * list. addPoint on an existing label and replaceDeleted leave nodes that no search reaches. Labels above 2³² wrap. A
 * filter that throws ends the process. Its promises run concurrently with calls that they must not overlap with. Nor
 * does it check vectors: pass only checked ones.
 */
export class HnswGraph {
  /** Ids that still need a node. */
  readonly pending = new Set<number>();
  readonly #native: NativeGraph;
  /** The id of each node. */
  readonly #ids: number[] = [];
  /** The live node of each id; all other nodes are tombstones. */
  readonly #nodeOf = new Map<number, number>();

  private constructor(native: NativeGraph, ids: Iterable<number>) {
    this.#native = native;
    for (const id of ids) this.#ids.push(id);
  }

  /** Creates a graph without nodes. Throws `VECTOR_INDEX_UNAVAILABLE` when hnswlib-node cannot be loaded. */
  static empty(dimensions: number): HnswGraph {
    const native = createNative(dimensions);
    // Small at first: a failed first allocation ends the process, a failed resize is an error.
    native.initIndex(INITIAL_NODES, M, EF_CONSTRUCTION, RANDOM_SEED);
    return new HnswGraph(native, []);
  }

  /** Loads a file that `readHnswFile` has accepted. All nodes are tombstones until `activate` is called for them. */
  static async load(path: string, options: { dimensions: number; ids: Uint32Array }): Promise<HnswGraph> {
    // A graph loaded from an empty file has capacity 0, which doubling never increases.
    if (options.ids.length === 0) return HnswGraph.empty(options.dimensions);
    const native = createNative(options.dimensions);
    // On a thread of Node's pool, as nothing else has the graph yet.
    await native.readIndex(path);
    return new HnswGraph(native, options.ids);
  }

  /** Number of nodes, tombstones included. */
  get size(): number {
    return this.#ids.length;
  }

  /** Fraction of nodes that are tombstones, 0 to 1. */
  get tombstoneShare(): number {
    return this.size === 0 ? 0 : 1 - this.#nodeOf.size / this.size;
  }

  /** The id of each node, tombstones included. */
  get ids(): readonly number[] {
    return this.#ids;
  }

  /** Makes a node the live node of its id. */
  activate(node: number): void {
    const id = this.#ids[node] as number;
    this.#nodeOf.set(id, node);
    this.pending.delete(id);
  }

  /** Marks an id as needing a node, for a new or a changed vector. */
  enqueue(id: number): void {
    this.#nodeOf.delete(id);
    this.pending.add(id);
  }

  remove(id: number): void {
    this.#nodeOf.delete(id);
    this.pending.delete(id);
  }

  /** Appends the live node of an id. Takes about a millisecond for 384 dimensions and 100,000 nodes. */
  insert(id: number, embedding: Float32Array): void {
    const node = this.size;
    // The counts differ after an insert that failed halfway.
    if (this.#native.getCurrentCount() !== node) throw damaged('a previous insert failed');
    if (node === this.#native.getMaxElements()) this.#native.resizeIndex(2 * node);
    this.#native.addPoint(toNumbers(embedding), node);
    this.#ids.push(id);
    this.activate(node);
  }

  /** Ids of the live nodes among the `count` nodes nearest to the query. */
  candidates(query: Float32Array, count: number): number[] {
    const ef = Math.min(count, this.#native.getMaxElements());
    this.#native.setEf(ef);
    const { neighbors } = this.#native.searchKnn(toNumbers(query), ef);
    const ids: number[] = [];
    for (const node of neighbors) {
      const id = this.#ids[node];
      if (id !== undefined && this.#nodeOf.get(id) === node) ids.push(id);
    }
    return ids;
  }

  /** Writes hnswlib's file, blocking for about 0.2 s per 100,000 nodes. Failures go unreported: read the file back. */
  write(path: string): void {
    this.#native.writeIndexSync(path);
  }
}

/** Always a new object: one that failed to load must not be used again. */
function createNative(dimensions: number): NativeGraph {
  const { HierarchicalNSW } = loadHnswlib();
  return new HierarchicalNSW('ip', dimensions);
}

/** hnswlib-node accepts no typed arrays. For 384 elements this takes 1 µs, `Array.from` 10 µs. */
function toNumbers(vector: Float32Array): number[] {
  const elements: number[] = [];
  for (let i = 0; i < vector.length; i++) elements.push(vector[i] as number);
  return elements;
}
