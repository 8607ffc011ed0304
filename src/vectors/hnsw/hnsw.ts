import { tmpdir } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { WaymarkError } from '../../domain/errors.js';
import type { Neighbour } from '../../domain/passage.js';
import { checkLimit } from '../checks.js';
import type { ExactIndex } from '../exact/exact.js';
import { checkEmbedding, type VectorIndex } from '../vector-index.js';
import { damaged, NODES_AT_ONCE, vectorBytes } from './hnsw-file.js';
import { HnswGraph } from './hnsw-graph.js';
import { openSnapshot, readSnapshot, takeSnapshot } from './hnsw-snapshot.js';
import { inSlices } from './slices.js';

/** Minimum number of candidates: recall@10 was 1.000 with 100,000 clustered vectors, 0.993 with uniform ones. */
const MINIMUM_CANDIDATES = 128;

/** Candidates per neighbour wanted, where that exceeds the minimum. */
const CANDIDATES_PER_NEIGHBOUR = 4;

/**
 * Rows that the exact index scans as int8 in the time the graph takes per candidate, 2.3 to 3.4 µs with 100,000 nodes.
 * A search scans the rows where that is cheaper.
 */
const ROWS_PER_CANDIDATE = 200;

/** With a greater share of tombstones, a rebuild pays off. */
const MAXIMUM_TOMBSTONE_SHARE = 0.25;

/** How an HNSW index weighs its graph against a scan. */
export interface HnswOptions {
  /** Rows that the exact scan reads in the time the graph takes per candidate. Defaults to 200; tests use 1. */
  readonly rowsPerCandidate?: number;
}

/**
 * A graph that proposes candidates, over exact rows that score them: a result can miss a neighbour, but its scores are
 * those of the exact index. Rows that the graph lacks are candidates of every search, so that the index is usable while
 * the graph is built. Change the rows only through this index.
 */
export class HnswIndex implements VectorIndex {
  readonly kind = 'hnsw';
  /** The rows; do not change them directly. */
  readonly exact: ExactIndex;
  readonly #rowsPerCandidate: number;
  #graph: HnswGraph;
  /** The graph that a rebuild under way is filling. */
  #next: HnswGraph | undefined;

  /**
   * Creates an index with an empty graph: call `catchUp` to fill it. Throws `VECTOR_INDEX_UNAVAILABLE` when
   * hnswlib-node cannot be loaded.
   */
  constructor(exact: ExactIndex, options: HnswOptions = {}) {
    this.exact = exact;
    checkLimit(options.rowsPerCandidate ?? 1, 'number of rows per candidate');
    this.#rowsPerCandidate = options.rowsPerCandidate ?? ROWS_PER_CANDIDATE;
    this.#graph = this.#emptyGraph();
  }

  /**
   * Creates an index with a complete graph. 100,000 vectors take about two minutes, in slices of 10 ms. Throws as the
   * constructor does, and `ABORTED`.
   */
  static async build(exact: ExactIndex, options: HnswOptions & { signal?: AbortSignal } = {}): Promise<HnswIndex> {
    const index = new HnswIndex(exact, options);
    await index.catchUp(options);
    return index;
  }

  /**
   * Restores an index from a snapshot, over rows that may have changed since: nodes that no longer match a row become
   * tombstones, and rows without a node are `missing`. The event loop runs meanwhile. Throws
   * `VECTOR_INDEX_DAMAGED` unless the bytes are an intact snapshot.
   */
  static async restore(bytes: Uint8Array, exact: ExactIndex, options: HnswOptions = {}): Promise<HnswIndex> {
    const index = new HnswIndex(exact, options);
    const { dimensions } = exact;
    const snapshot = await readSnapshot(bytes, dimensions);
    const graph = await openSnapshot(snapshot, dimensions);
    for (const id of exact.ids()) graph.enqueue(id);
    for (const [node, id] of snapshot.ids.entries()) {
      if (node % NODES_AT_ONCE === 0) await setImmediate();
      const held = exact.embedding(id);
      const vector = vectorBytes(snapshot.file, { index: node, dimensions });
      if (held !== undefined && Buffer.from(held.buffer).equals(vector)) graph.activate(node);
      else checkVector(vector, dimensions);
    }
    index.#graph = graph;
    return index;
  }

  get dimensions(): number {
    return this.exact.dimensions;
  }

  get size(): number {
    return this.exact.size;
  }

  has(id: number): boolean {
    return this.exact.has(id);
  }

  /** Takes about a millisecond. For many vectors, use `addLater`, or add them to the exact rows before `build`. */
  add(id: number, embedding: Float32Array): void {
    this.addLater(id, embedding);
    this.#graph.insert(id, embedding);
  }

  /** Adds the row now, and its node with the next `catchUp`. */
  addLater(id: number, embedding: Float32Array): void {
    this.exact.add(id, embedding);
    this.#next?.enqueue(id);
    this.#graph.enqueue(id);
  }

  remove(id: number): boolean {
    this.#graph.remove(id);
    this.#next?.remove(id);
    return this.exact.remove(id);
  }

  search(query: Float32Array, options: { readonly limit: number; readonly only?: Uint32Array }): Neighbour[] {
    const { limit } = options;
    checkLimit(limit);
    checkEmbedding(query, this.dimensions);
    const only = options.only ?? this.#candidates(query, limit);
    return this.exact.search(query, only === undefined ? { limit } : { limit, only });
  }

  scores(query: Float32Array, ids: Uint32Array): Float32Array {
    return this.exact.scores(query, ids);
  }

  /** Ids of the rows that have no node yet. */
  missing(): number[] {
    return [...this.#graph.pending];
  }

  /** Adds nodes for the rows that lack one, in slices of 10 ms. Throws `ABORTED`; it can then be called again. */
  async catchUp(options: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#fill(this.#graph, options.signal);
  }

  /** Whether more than a quarter of the nodes are tombstones, which slow searches down. */
  get needsRebuild(): boolean {
    return this.#graph.tombstoneShare > MAXIMUM_TOMBSTONE_SHARE;
  }

  /**
   * Builds a new graph without tombstones, in slices of 10 ms. The old graph serves until then, and stays when this
   * throws `ABORTED`. Throws `INVALID_ARGUMENT` while another rebuild is running.
   */
  async rebuild(options: { signal?: AbortSignal } = {}): Promise<void> {
    if (this.#next !== undefined) {
      throw new WaymarkError(
        'INVALID_ARGUMENT',
        'The HNSW index is already being rebuilt: wait for that rebuild to finish.',
      );
    }
    this.#next = this.#emptyGraph();
    try {
      await this.#fill(this.#next, options.signal);
      this.#graph = this.#next;
    } finally {
      this.#next = undefined;
    }
  }

  /**
   * The graph with its vectors as bytes, for `restore`: 169 MB for 100,000 vectors of 384 dimensions. Written through a
   * private file in `folder`, which defaults to the system's temporary folder. Throws `VECTOR_INDEX_UNAVAILABLE` when
   * the file cannot be written.
   */
  snapshot(options: { folder?: string } = {}): Promise<Uint8Array> {
    return takeSnapshot(this.#graph, { dimensions: this.dimensions, folder: options.folder ?? tmpdir() });
  }

  /** The ids that the exact index is to score; undefined for all of them, where a scan is cheaper than the graph. */
  #candidates(query: Float32Array, limit: number): Uint32Array | undefined {
    const graph = this.#graph;
    const wanted = Math.max(CANDIDATES_PER_NEIGHBOUR * limit, MINIMUM_CANDIDATES);
    let count = Math.ceil(wanted / (1 - graph.tombstoneShare));
    while (count * this.#rowsPerCandidate + graph.pending.size < this.size) {
      const live = graph.candidates(query, count);
      if (live.length >= wanted / 2) return Uint32Array.from([...live, ...graph.pending]);
      // Most nodes near the query are tombstones, for example of a file that was rewritten.
      count *= 4;
    }
    return undefined;
  }

  async #fill(graph: HnswGraph, signal: AbortSignal | undefined): Promise<void> {
    const step = (id: number) => {
      const embedding = this.exact.embedding(id);
      if (embedding === undefined) graph.remove(id);
      else graph.insert(id, embedding);
    };
    await inSlices(graph.pending, { step, signal });
  }

  #emptyGraph(): HnswGraph {
    const graph = HnswGraph.empty(this.dimensions);
    for (const id of this.exact.ids()) graph.enqueue(id);
    return graph;
  }
}

/** Searches still traverse a tombstone, whose vector is no longer compared with a row. */
function checkVector(bytes: Uint8Array, dimensions: number): void {
  try {
    // Copies just these bytes: `slice` of a Buffer would be a view into the whole.
    checkEmbedding(new Float32Array(Uint8Array.from(bytes).buffer), dimensions);
  } catch (error) {
    throw damaged('one of its vectors does not have length 1', error);
  }
}
