import { setImmediate } from 'node:timers/promises';
import { withEither } from '../../domain/abortable.js';
import { hasCode, WaymarkError } from '../../domain/errors.js';
import type { FlushOptions } from '../../storage/passage-store.js';
import { ExactIndex } from '../../vectors/exact/exact.js';
import { HnswIndex, type HnswOptions } from '../../vectors/hnsw/hnsw.js';
import { hnswUnavailable } from '../../vectors/hnsw/hnswlib.js';
import { checkEmbedding, type IndexKind, type VectorIndex } from '../../vectors/vector-index.js';
import type { ChangeLog, NumberedEmbedding } from './change-log.js';
import type { Snapshots } from './snapshots.js';

/** `auto` scans up to this many vectors, as measured in docs/decisions/020-exact-until-hnsw-pays.md. */
const HNSW_FROM = 1_500_000;

/** Embeddings read at a time, so that loading a large index does not block the event loop: two milliseconds. */
const PAGE = 500;

/** Maximum number of missing rows for which completing a graph counts as brief: each takes about a millisecond. */
const BRIEF = 1000;

/** The vector index of one bot: a cache of the stored embeddings in memory, brought up to date when it is used. */
export class VectorCache {
  readonly #log: ChangeLog;
  readonly #snapshots: Snapshots;
  readonly #model: number;
  readonly #dimensions: number;
  readonly #kind: IndexKind;
  readonly #hnswFrom: number;
  readonly #warn: (message: string) => void;
  readonly #closing = new AbortController();
  #index: ExactIndex | HnswIndex | undefined;
  /** The sequence number of the last change that the index includes. */
  #sequence = 0;
  /** The version of the database that the index was last brought up to date with. */
  #version = '';
  /** Resolves when the last piece of exclusive work has ended. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Pieces of exclusive work that have not ended. */
  #pending = 0;
  #warnedOfScan = false;

  /** Throws `VECTOR_INDEX_UNAVAILABLE` if `kind` is `hnsw` and hnswlib-node cannot be loaded. */
  constructor(options: {
    log: ChangeLog;
    snapshots: Snapshots;
    /** Row number of the model. */
    model: number;
    dimensions: number;
    kind: IndexKind;
    /** Vectors above which `auto` uses the graph. */
    hnswFrom?: number | undefined;
    warn: (message: string) => void;
  }) {
    this.#log = options.log;
    this.#snapshots = options.snapshots;
    this.#model = options.model;
    this.#dimensions = options.dimensions;
    this.#kind = options.kind;
    this.#hnswFrom = options.hnswFrom ?? HNSW_FROM;
    this.#warn = options.warn;
    const unavailable = options.kind === 'hnsw' ? hnswUnavailable() : undefined;
    if (unavailable) throw unavailable;
  }

  /** Throws `EMBEDDING_INVALID` for an embedding that the index would reject. */
  checkEmbedding(embedding: Float32Array): void {
    checkEmbedding(embedding, this.#dimensions);
  }

  /** The index, including everything stored now. Throws `DATABASE_DAMAGED`. */
  async current(): Promise<VectorIndex> {
    return this.#exclusively(() => this.#sync());
  }

  /**
   * Whether an index that `current` returned includes everything stored now. Call it in the transaction that uses the
   * index. One that was loaded again since then is another index.
   */
  isCurrent(index: VectorIndex): boolean {
    if (index !== this.#index) return false;
    // Without shared memory for its log, SQLite gives each transaction a version of its own: compare the changes, too.
    return this.#log.version() === this.#version || this.#log.sequence() === this.#sequence;
  }

  /**
   * Brings an HNSW graph up to date and writes it to disk, while searches continue. An exact index is never written.
   */
  async flush(count: number, { signal, isBrief = false }: FlushOptions = {}): Promise<void> {
    const flushGraph = (either: AbortSignal) => this.#flushGraph(either, isBrief);
    if (this.#wantsGraph(count)) await withEither([this.#closing.signal, signal], flushGraph);
    else if (this.#kind === 'auto') await this.#snapshots.remove();
  }

  /** The kind of index that serves this number of vectors. */
  kind(count: number): VectorIndex['kind'] {
    return this.#wantsGraph(count) ? 'hnsw' : 'exact';
  }

  close(): void {
    this.#closing.abort();
  }

  /**
   * Runs one piece of work at a time: a search that arrives while another updates the index waits for it. Of those that
   * have waited, one goes on in each turn of the event loop: together they would block it.
   */
  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const hasToWait = this.#pending > 0;
    this.#pending += 1;
    const turn = this.#turn.then(async () => {
      if (hasToWait) await setImmediate();
      return work();
    });
    this.#turn = turn.catch(() => {});
    return turn.finally(() => {
      this.#pending -= 1;
    });
  }

  async #sync(): Promise<ExactIndex | HnswIndex> {
    const index = this.#index;
    const version = this.#log.version();
    if (index && version === this.#version) return index;
    const current = index ? await this.#caughtUp(index) : await this.#load();
    this.#version = version;
    return current;
  }

  async #caughtUp(index: ExactIndex | HnswIndex): Promise<ExactIndex | HnswIndex> {
    for (;;) {
      const changes = this.#log.since(this.#sequence, { limit: PAGE });
      if (!changes) return this.#load();
      for (const { sequence, passage, embedding } of changes) {
        if (embedding) this.#add(index, { passage, embedding });
        else index.remove(passage);
        this.#sequence = sequence;
      }
      if (changes.length < PAGE) break;
      await setImmediate();
    }
    if (index.kind === 'hnsw') this.#completeInBackground(index);
    return index;
  }

  async #load(): Promise<ExactIndex | HnswIndex> {
    // Changes made while the embeddings are read are in the log, which is read next.
    const sequence = this.#log.sequence();
    const exact = new ExactIndex({ dimensions: this.#dimensions });
    let added = 0;
    await setImmediate();
    for (const rows of this.#log.embedded()) {
      for (const row of rows) this.#add(exact, row);
      added += rows.length;
      if (added < PAGE) continue;
      added = 0;
      await setImmediate();
    }
    await setImmediate();
    this.#index = this.#wantsGraph(exact.size) ? await this.#restore(exact) : exact;
    this.#sequence = sequence;
    return this.#index;
  }

  #add(index: ExactIndex | HnswIndex, { passage, embedding }: NumberedEmbedding): void {
    try {
      if (index.kind === 'hnsw') index.addLater(passage, embedding);
      else index.add(passage, embedding);
    } catch (cause) {
      if (!hasCode(cause, 'EMBEDDING_INVALID')) throw cause;
      const message = 'A stored embedding is damaged: repair it with: waymark doctor --repair';
      throw new WaymarkError('DATABASE_DAMAGED', message, { cause });
    }
  }

  #wantsGraph(count: number): boolean {
    if (this.#kind === 'hnsw') return true;
    if (this.#kind === 'exact' || count <= this.#hnswFrom) return false;
    const unavailable = hnswUnavailable();
    if (!unavailable) return true;
    if (!this.#warnedOfScan) this.#warn(`${unavailable.message} Until then every search scans all ${count} passages.`);
    this.#warnedOfScan = true;
    return false;
  }

  /** The stored graph. Missing vectors are added while it serves; a damaged graph is rebuilt. */
  async #restore(exact: ExactIndex): Promise<HnswIndex> {
    // With `hnsw` the graph serves even where a scan would be cheaper.
    const options: HnswOptions = this.#kind === 'hnsw' ? { rowsPerCandidate: 1 } : {};
    const index = (await this.#restored(exact, options)) ?? new HnswIndex(exact, options);
    this.#completeInBackground(index);
    return index;
  }

  async #restored(exact: ExactIndex, options: HnswOptions): Promise<HnswIndex | undefined> {
    const snapshot = await this.#snapshots.read();
    if (!snapshot) return undefined;
    try {
      if (snapshot === 'damaged') throw new WaymarkError('VECTOR_INDEX_DAMAGED', 'The stored HNSW index is damaged.');
      return await HnswIndex.restore(snapshot.bytes, exact, options);
    } catch (error) {
      if (!(error instanceof WaymarkError)) throw error;
      this.#warn(`${error.message} It is rebuilt from the stored embeddings.`);
      // The next run writes a new one.
      if (error.code === 'VECTOR_INDEX_DAMAGED') await this.#snapshots.remove();
      return undefined;
    }
  }

  #completeInBackground(index: HnswIndex): void {
    const { signal } = this.#closing;
    index.catchUp({ signal }).catch((error: unknown) => {
      if (!signal.aborted) this.#warn(`The HNSW index could not be completed: ${String(error)}`);
    });
  }

  async #flushGraph(signal: AbortSignal, isBrief: boolean): Promise<void> {
    if (this.#snapshots.sequence() === this.#log.sequence()) return;
    const { index, sequence } = await this.#exclusively(async () => {
      const synced = await this.#sync();
      // An exact index that has grown large becomes a graph.
      const index = synced.kind === 'exact' ? await this.#restore(synced) : synced;
      this.#index = index;
      return { index, sequence: this.#sequence };
    });
    if (isBrief && index.missing().length > BRIEF) return;
    await index.catchUp({ signal });
    if (index.needsRebuild && !isBrief) await index.rebuild({ signal });
    await this.#store(index, sequence);
  }

  async #store(index: HnswIndex, sequence: number): Promise<void> {
    let bytes: Uint8Array;
    try {
      bytes = await index.snapshot();
    } catch (error) {
      if (!hasCode(error, 'VECTOR_INDEX_UNAVAILABLE')) throw error;
      this.#warn(`${error.message} Until then it is rebuilt whenever the index is opened.`);
      return;
    }
    await this.#snapshots.write({ sequence, bytes }, { model: this.#model });
  }
}
