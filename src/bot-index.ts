import { WaymarkError } from './errors.js';
import type { Embeddings } from './store/embeddings.js';
import type { Snapshots } from './store/snapshots.js';
import { ExactIndex } from './vectors/exact.js';
import { HnswIndex, type HnswOptions } from './vectors/hnsw.js';
import { hnswUnavailable } from './vectors/hnswlib.js';
import type { VectorIndex } from './vectors/vector-index.js';

/** Which vector index serves: `auto` is exact for up to 50,000 passages, HNSW above. */
export type IndexKind = 'auto' | 'exact' | 'hnsw';

/** Up to so many vectors a scan takes 3 ms at most, and needs no graph to be built (facts: 5.7 ms for 100,000). */
const HNSW_FROM = 50_000;

/** One bot's vector index: a cache of the stored embeddings, brought up to date whenever it is asked for. */
export class BotIndex {
  readonly #embeddings: Embeddings;
  readonly #snapshots: Snapshots;
  readonly #dimensions: number;
  readonly #kind: IndexKind;
  readonly #warn: (message: string) => void;
  readonly #closing = new AbortController();
  #index: ExactIndex | HnswIndex | undefined;
  /** Of the last change that the index has. */
  #sequence = 0;
  /** Of the last change that the stored snapshot has. */
  #stored = -1;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: {
    embeddings: Embeddings;
    snapshots: Snapshots;
    dimensions: number;
    kind: IndexKind;
    warn: (message: string) => void;
  }) {
    this.#embeddings = options.embeddings;
    this.#snapshots = options.snapshots;
    this.#dimensions = options.dimensions;
    this.#kind = options.kind;
    this.#warn = options.warn;
  }

  /** The index with all that is stored now. Throws `VECTOR_INDEX_UNAVAILABLE`, `DATABASE_DAMAGED`. */
  async current(): Promise<VectorIndex> {
    return this.#exclusively(() => this.#sync());
  }

  /** Brings an HNSW graph up to date and to disk; does nothing where a scan serves. */
  async settle(count: number): Promise<void> {
    await this.#exclusively(async () => {
      if (this.#wantsGraph(count)) await this.#settleGraph();
      else if (this.#kind === 'auto') await this.#snapshots.remove();
      this.#embeddings.trimChanges();
    });
  }

  /** Which kind serves so many vectors. */
  kind(count: number): VectorIndex['kind'] {
    return this.#wantsGraph(count) ? 'hnsw' : 'exact';
  }

  close(): void {
    this.#closing.abort();
  }

  /** One at a time: a search that comes while another brings the index up to date waits for it. */
  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #sync(): Promise<ExactIndex | HnswIndex> {
    const sequence = this.#embeddings.sequence();
    const index = this.#index;
    if (!index) return this.#load(sequence);
    if (sequence === this.#sequence) return index;
    const changes = this.#embeddings.changesSince(this.#sequence);
    if (!changes) return this.#load(sequence);
    for (const { passage, embedding } of changes) {
      if (embedding) index.add(passage, embedding);
      else index.remove(passage);
    }
    this.#sequence = sequence;
    return index;
  }

  async #load(sequence: number): Promise<ExactIndex | HnswIndex> {
    const exact = new ExactIndex({ dimensions: this.#dimensions });
    try {
      for (const { passage, embedding } of this.#embeddings.all()) exact.add(passage, embedding);
    } catch (cause) {
      if (!(cause instanceof WaymarkError) || cause.code !== 'EMBEDDING_INVALID') throw cause;
      throw new WaymarkError(
        'DATABASE_DAMAGED',
        'A stored embedding is damaged: delete the database and index again.',
        { cause },
      );
    }
    this.#index = this.#wantsGraph(exact.size) ? await this.#restore(exact) : exact;
    this.#sequence = sequence;
    return this.#index;
  }

  #wantsGraph(count: number): boolean {
    if (this.#kind === 'exact' || (this.#kind === 'auto' && count <= HNSW_FROM)) return false;
    const unavailable = hnswUnavailable();
    if (!unavailable) return true;
    if (this.#kind === 'hnsw') throw unavailable;
    this.#warn(`${unavailable.message} Until then every search scans all ${count} passages.`);
    return false;
  }

  /** The graph as it was stored; what it lacks is added while it serves, and a damaged one is made anew. */
  async #restore(exact: ExactIndex): Promise<HnswIndex> {
    const snapshot = this.#snapshots.read();
    let index: HnswIndex | undefined;
    if (snapshot) {
      try {
        index = await HnswIndex.restore(snapshot.bytes, exact, this.#graphOptions());
        this.#stored = snapshot.sequence;
      } catch (error) {
        if (!(error instanceof WaymarkError) || error.code !== 'VECTOR_INDEX_DAMAGED') throw error;
        this.#warn(`${error.message} It is made again from the stored embeddings.`);
      }
    }
    index ??= new HnswIndex(exact, this.#graphOptions());
    index.catchUp({ signal: this.#closing.signal }).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#warn(`The HNSW index could not be completed: ${String(error)}`);
    });
    return index;
  }

  /** Who asks for HNSW gets the graph, also where a scan would be the cheaper. */
  #graphOptions(): HnswOptions {
    return this.#kind === 'hnsw' ? { rowsPerCandidate: 1 } : {};
  }

  async #settleGraph(): Promise<void> {
    // An exact index that has grown large becomes a graph.
    if (this.#index?.kind === 'exact') this.#index = undefined;
    const index = await this.#sync();
    if (!(index instanceof HnswIndex)) return;
    const { signal } = this.#closing;
    await index.catchUp({ signal });
    if (index.needsRebuild) await index.rebuild({ signal });
    else if (this.#stored === this.#sequence) return;
    await this.#snapshots.write({ sequence: this.#sequence, bytes: await index.snapshot() });
    this.#stored = this.#sequence;
  }
}
