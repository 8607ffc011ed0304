import { tmpdir } from 'node:os';
import { WaymarkError } from '../../domain/errors.js';
import type { Neighbour } from '../../domain/passage.js';
import { checkLimit } from '../argument.js';
import type { ExactIndex } from '../exact/exact.js';
import { inSlices } from '../exact/slices.js';
import { checkEmbedding, type VectorIndex } from '../vector-index.js';
import { damaged, vectorBytes } from './hnsw-file.js';
import { HnswGraph } from './hnsw-graph.js';
import { openSnapshot, readSnapshot, takeSnapshot } from './hnsw-snapshot.js';

/** Fewest candidates asked of the graph: recall@10 was 1.000 on 100,000 clustered vectors, 0.993 on evenly spread. */
const LEAST_CANDIDATES = 128;

/** Candidates asked of the graph for each neighbour wanted, where that is more. */
const CANDIDATES_PER_NEIGHBOUR = 4;

/**
 * Rows that the exact scan, by int8, reads while the graph finds one candidate (2.3 to 3.4 µs of 100,000 nodes): where
 * a scan is the cheaper, it is made.
 */
const ROWS_PER_CANDIDATE = 200;

/** Above this share of dead nodes a rebuild pays. */
const DEAD_SHARE = 0.25;

export interface HnswOptions {
  /** Rows that the exact scan reads in the time of one candidate of the graph; default 200. Tests ask for 1. */
  readonly rowsPerCandidate?: number;
}

/**
 * A graph that proposes candidates, over exact rows that score them: an answer can miss a neighbour but its scores are
 * the exact index's. Ids of the rows that the graph does not have yet are candidates of every search, so that it may
 * be built and caught up while it serves. Change the rows through this index only.
 */
export class HnswIndex implements VectorIndex {
  readonly kind = 'hnsw';
  readonly exact: ExactIndex;
  readonly #rowsPerCandidate: number;
  #graph: HnswGraph;
  /** The graph of a rebuild under way. */
  #next: HnswGraph | undefined;

  /** With an empty graph: call `catchUp`. Throws `VECTOR_INDEX_UNAVAILABLE` when hnswlib-node cannot be loaded. */
  constructor(exact: ExactIndex, options: HnswOptions = {}) {
    this.exact = exact;
    checkLimit(options.rowsPerCandidate ?? 1, 'number of rows per candidate');
    this.#rowsPerCandidate = options.rowsPerCandidate ?? ROWS_PER_CANDIDATE;
    this.#graph = this.#emptyGraph();
  }

  /** An index with a full graph. 100,000 vectors take about two minutes, in slices of 10 ms. */
  static async build(exact: ExactIndex, options: HnswOptions & { signal?: AbortSignal } = {}): Promise<HnswIndex> {
    const index = new HnswIndex(exact, options);
    await index.catchUp(options);
    return index;
  }

  /**
   * The index of a snapshot, over rows that may have changed since: what the snapshot holds otherwise than the rows do
   * is dead, and what it lacks is `missing`. Blocks some 0.5 s for 100,000 vectors. Throws `VECTOR_INDEX_DAMAGED` for
   * bytes that are not a sound snapshot.
   */
  static async restore(bytes: Uint8Array, exact: ExactIndex, options: HnswOptions = {}): Promise<HnswIndex> {
    const index = new HnswIndex(exact, options);
    const { dimensions } = exact;
    const snapshot = readSnapshot(bytes, dimensions);
    const graph = await openSnapshot(snapshot, dimensions);
    for (const id of exact.ids()) graph.expect(id);
    for (const [node, id] of snapshot.ids.entries()) {
      const held = exact.embedding(id);
      const vector = vectorBytes(snapshot.file, { index: node, dimensions });
      if (held !== undefined && Buffer.from(held.buffer).equals(vector)) graph.revive(node);
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

  /** Costs about a millisecond: for many at once, `addLater`, or add to the exact rows first and `build`. */
  add(id: number, embedding: Float32Array): void {
    this.addLater(id, embedding);
    this.#graph.insert(id, embedding);
  }

  /** Adds the row; the graph gets it from the next `catchUp`. */
  addLater(id: number, embedding: Float32Array): void {
    this.exact.add(id, embedding);
    this.#next?.expect(id);
    this.#graph.expect(id);
  }

  remove(id: number): boolean {
    this.#graph.forget(id);
    this.#next?.forget(id);
    return this.exact.remove(id);
  }

  search(query: Float32Array, options: { readonly limit: number; readonly only?: Uint32Array }): Neighbour[] {
    const { limit } = options;
    checkLimit(limit);
    checkEmbedding(query, this.dimensions);
    const only = options.only ?? this.#candidates(query, limit);
    return this.exact.search(query, only === undefined ? { limit } : { limit, only });
  }

  meanScore(query: Float32Array): number {
    return this.exact.meanScore(query);
  }

  scores(query: Float32Array, ids: Uint32Array): Float32Array {
    return this.exact.scores(query, ids);
  }

  /** Ids of the rows that the graph does not have yet. */
  missing(): number[] {
    return [...this.#graph.waiting];
  }

  /** Gives the graph the rows it is missing, in slices of 10 ms. Throws `ABORTED`, and may be called again. */
  async catchUp(options: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#fill(this.#graph, options.signal);
  }

  /** Whether so much of the graph is dead that searches pay for it. */
  get needsRebuild(): boolean {
    return this.#graph.deadShare > DEAD_SHARE;
  }

  /** Makes a new graph beside the old one, which serves until then, also when this throws `ABORTED`. */
  async rebuild(options: { signal?: AbortSignal } = {}): Promise<void> {
    if (this.#next !== undefined) {
      throw new WaymarkError('INVALID_ARGUMENT', 'The HNSW index is being rebuilt already: wait for that to end.');
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
   * The graph as bytes, its vectors included: 169 MB for 100,000 of 384 dimensions. It goes through a private file in
   * `folder`, by default the system's for temporary files. Throws `VECTOR_INDEX_UNAVAILABLE` when that does not take it.
   */
  snapshot(options: { folder?: string } = {}): Promise<Uint8Array> {
    return takeSnapshot(this.#graph, { dimensions: this.dimensions, folder: options.folder ?? tmpdir() });
  }

  /** What the exact rows are to choose from; undefined for all of them, where that costs less than asking the graph. */
  #candidates(query: Float32Array, limit: number): Uint32Array | undefined {
    const graph = this.#graph;
    const wanted = Math.max(CANDIDATES_PER_NEIGHBOUR * limit, LEAST_CANDIDATES);
    let count = Math.ceil(wanted / (1 - graph.deadShare));
    while (count * this.#rowsPerCandidate + graph.waiting.size < this.size) {
      const alive = graph.candidates(query, count);
      if (alive.length >= wanted / 2) return Uint32Array.from([...alive, ...graph.waiting]);
      // Most of what lies around the query is dead, such as a file that was rewritten.
      count *= 4;
    }
    return undefined;
  }

  async #fill(graph: HnswGraph, signal: AbortSignal | undefined): Promise<void> {
    const step = (id: number) => {
      const embedding = this.exact.embedding(id);
      if (embedding === undefined) graph.forget(id);
      else graph.insert(id, embedding);
    };
    await inSlices(graph.waiting, { step, signal });
  }

  #emptyGraph(): HnswGraph {
    const graph = HnswGraph.empty(this.dimensions);
    for (const id of this.exact.ids()) graph.expect(id);
    return graph;
  }
}

/** A dead node's vector steers searches still, and rows no longer vouch for it. */
function checkVector(bytes: Uint8Array, dimensions: number): void {
  try {
    // A copy of these bytes only: `slice` of a Buffer is a view into the whole.
    checkEmbedding(new Float32Array(Uint8Array.from(bytes).buffer), dimensions);
  } catch (error) {
    throw damaged('a vector in it is not of length 1', error);
  }
}
