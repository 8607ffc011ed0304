import { damaged, EF_CONSTRUCTION, FIRST_NODES, M } from './hnsw-file.js';
import { loadHnswlib, type NativeGraph } from './hnswlib.js';

/** Fixed, so that the same vectors added in the same order make the same graph. */
const RANDOM_SEED = 100;

/**
 * An HNSW graph (Malkov and Yashunin, arXiv 1603.09320) that nodes are appended to and never taken from: a removed or
 * replaced id leaves a dead node, which still leads searches on but is not answered with.
 *
 * hnswlib's own ways are not used because each has a fault: markDelete lets an insert that reaches deleted nodes only
 * read behind an empty list, addPoint on a label that exists and replaceDeleted leave nodes that no search reaches,
 * labels above 2³² wrap, a filter that throws ends the process, and its promises run beside the calls they must not
 * meet. Vectors are to be checked before: it takes whatever it is given.
 */
export class HnswGraph {
  /** Ids that have to get a node. */
  readonly waiting = new Set<number>();
  readonly #native: NativeGraph;
  /** Ids by node. A node is alive while its id points back at it. */
  readonly #ids: number[] = [];
  readonly #nodeOf = new Map<number, number>();

  private constructor(native: NativeGraph, ids: Iterable<number>) {
    this.#native = native;
    for (const id of ids) this.#ids.push(id);
  }

  /** Throws `VECTOR_INDEX_UNAVAILABLE` when hnswlib-node cannot be loaded. */
  static empty(dimensions: number): HnswGraph {
    const native = open(dimensions);
    // Small at first: a failed first allocation ends the process, a failed resize is an error.
    native.initIndex(FIRST_NODES, M, EF_CONSTRUCTION, RANDOM_SEED);
    return new HnswGraph(native, []);
  }

  /** A graph from a file that `readHnswFile` has passed, its nodes all dead. */
  static load(path: string, options: { dimensions: number; ids: Uint32Array }): HnswGraph {
    // An empty file has no room, and hnswlib cannot double none.
    if (options.ids.length === 0) return HnswGraph.empty(options.dimensions);
    const native = open(options.dimensions);
    native.readIndexSync(path);
    return new HnswGraph(native, options.ids);
  }

  /** Number of nodes, dead ones included. */
  get size(): number {
    return this.#ids.length;
  }

  /** Share of the nodes that are dead, 0..1. */
  get deadShare(): number {
    return this.size === 0 ? 0 : 1 - this.#nodeOf.size / this.size;
  }

  get ids(): readonly number[] {
    return this.#ids;
  }

  /** Takes the node as the one of its id. */
  revive(node: number): void {
    const id = this.#ids[node] as number;
    this.#nodeOf.set(id, node);
    this.waiting.delete(id);
  }

  /** Lets the id wait for a node with a new vector. */
  expect(id: number): void {
    this.#nodeOf.delete(id);
    this.waiting.add(id);
  }

  forget(id: number): void {
    this.#nodeOf.delete(id);
    this.waiting.delete(id);
  }

  /** Appends a node: about a millisecond for 384 dimensions among 100,000 nodes. */
  insert(id: number, embedding: Float32Array): void {
    const node = this.size;
    // After an insert that failed half-way its counts are no longer ours.
    if (this.#native.getCurrentCount() !== node) throw damaged('an insert has failed before');
    if (node === this.#native.getMaxElements()) this.#native.resizeIndex(2 * node);
    this.#native.addPoint(numbers(embedding), node);
    this.#ids.push(id);
    this.revive(node);
  }

  /** Ids of the living among the nodes nearest to the query, as found with a list of `count` candidates. */
  candidates(query: Float32Array, count: number): number[] {
    const room = Math.min(count, this.#native.getMaxElements());
    this.#native.setEf(room);
    const { neighbors } = this.#native.searchKnn(numbers(query), room);
    const ids: number[] = [];
    for (const node of neighbors) {
      const id = this.#ids[node];
      if (id !== undefined && this.#nodeOf.get(id) === node) ids.push(id);
    }
    return ids;
  }

  /** Writes hnswlib's file, which blocks about 0.2 s for 100,000 nodes. It reports no failure: read the file back. */
  write(path: string): void {
    this.#native.writeIndexSync(path);
  }
}

/** A new object each time: one that failed to load must not be touched again. */
function open(dimensions: number): NativeGraph {
  const { HierarchicalNSW } = loadHnswlib();
  return new HierarchicalNSW('ip', dimensions);
}

/** hnswlib-node takes no typed array, and `Array.from` one of 384 elements takes 10 µs, this 1 µs. */
function numbers(vector: Float32Array): number[] {
  const elements: number[] = [];
  for (let i = 0; i < vector.length; i++) elements.push(vector[i] as number);
  return elements;
}
