import type { Neighbour } from '../passage.js';
import { checkDimensions, checkId, checkLimit } from './argument.js';
import { type KernelOptions, openRows } from './kernel.js';
import { Mean } from './mean.js';
import { Nearest } from './nearest.js';
import { ROWS_PER_CALL, type Rows } from './rows.js';
import { checkEmbedding, type VectorIndex } from './vector-index.js';

/**
 * Scores every vector it holds: right by construction, about 5 ms for 100,000 vectors of 384 dimensions, and 4 bytes
 * a dimension of memory.
 */
export class ExactIndex implements VectorIndex {
  readonly kind = 'exact';
  readonly dimensions: number;
  readonly #rows: Rows;
  readonly #mean: Mean;
  readonly #slotOf = new Map<number, number>();
  /** Ids by slot; slots 0..size-1 are taken. */
  #ids = new Uint32Array(64);
  readonly #slots = new Uint32Array(ROWS_PER_CALL);

  /** Throws `INVALID_ARGUMENT` for other dimensions than 1..65,536, `VECTOR_INDEX_UNAVAILABLE` for a kernel not here. */
  constructor(options: KernelOptions) {
    checkDimensions(options.dimensions);
    this.dimensions = options.dimensions;
    this.#rows = openRows(options);
    this.#mean = new Mean(options.dimensions);
  }

  get size(): number {
    return this.#slotOf.size;
  }

  /** What scores the rows. */
  get kernel(): 'wasm' | 'javascript' {
    return this.#rows.kernel;
  }

  has(id: number): boolean {
    return this.#slotOf.has(id);
  }

  /** The ids held, in no order. */
  ids(): IterableIterator<number> {
    return this.#slotOf.keys();
  }

  /** A copy of the vector held under an id. */
  embedding(id: number): Float32Array | undefined {
    const slot = this.#slotOf.get(id);
    return slot === undefined ? undefined : this.#rows.read(slot);
  }

  add(id: number, embedding: Float32Array): void {
    checkId(id);
    checkEmbedding(embedding, this.dimensions);
    const slot = this.#slotOf.get(id) ?? this.size;
    if (slot === this.size) {
      this.#rows.reserve(slot + 1);
      if (slot === this.#ids.length) this.#ids = grown(this.#ids);
      this.#ids[slot] = id;
      this.#slotOf.set(id, slot);
    } else {
      this.#mean.remove(this.#rows.read(slot));
    }
    this.#rows.write(slot, embedding);
    this.#mean.add(embedding);
  }

  remove(id: number): boolean {
    const slot = this.#slotOf.get(id);
    if (slot === undefined) return false;
    this.#mean.remove(this.#rows.read(slot));
    // The last row fills the gap, so that rows stay contiguous.
    const last = this.size - 1;
    const moved = this.#ids[last] as number;
    this.#rows.copy(last, slot);
    this.#ids[slot] = moved;
    this.#slotOf.set(moved, slot);
    this.#slotOf.delete(id);
    return true;
  }

  search(query: Float32Array, options: { readonly limit: number; readonly only?: Uint32Array }): Neighbour[] {
    checkLimit(options.limit);
    checkEmbedding(query, this.dimensions);
    this.#rows.ask(query);
    const nearest = new Nearest(options.limit);
    if (options.only === undefined) this.#offerAll(nearest);
    else this.#offerOnly(distinct(options.only), nearest);
    return nearest.sorted();
  }

  scores(query: Float32Array, ids: Uint32Array): Float32Array {
    checkEmbedding(query, this.dimensions);
    this.#rows.ask(query);
    const all = new Float32Array(ids.length).fill(Number.NaN);
    this.#gather(ids, (place, score) => {
      all[place] = score;
    });
    return all;
  }

  meanScore(query: Float32Array): number {
    checkEmbedding(query, this.dimensions);
    return this.#mean.dot(query, this.size);
  }

  #offerAll(nearest: Nearest): void {
    for (let first = 0; first < this.size; first += ROWS_PER_CALL) {
      const scores = this.#rows.scan(first, Math.min(ROWS_PER_CALL, this.size - first));
      for (let i = 0; i < scores.length; i++) {
        const score = scores[i] as number;
        if (score >= nearest.worst) nearest.offer(this.#ids[first + i] as number, score);
      }
    }
  }

  #offerOnly(ids: Uint32Array, nearest: Nearest): void {
    this.#gather(ids, (place, score) => {
      if (score >= nearest.worst) nearest.offer(ids[place] as number, score);
    });
  }

  /** Hands over the score of each id that is held, with the id's place in `ids`. */
  #gather(ids: Uint32Array, each: (place: number, score: number) => void): void {
    const places = new Uint32Array(Math.min(ids.length, ROWS_PER_CALL));
    let count = 0;
    for (let place = 0; place < ids.length; place++) {
      const slot = this.#slotOf.get(ids[place] as number);
      if (slot !== undefined) {
        places[count] = place;
        this.#slots[count++] = slot;
      }
      if (count < ROWS_PER_CALL && place < ids.length - 1) continue;
      const scores = this.#rows.gather(this.#slots.subarray(0, count));
      for (let i = 0; i < count; i++) each(places[i] as number, scores[i] as number);
      count = 0;
    }
  }
}

function grown(ids: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(2 * ids.length);
  longer.set(ids);
  return longer;
}

/** The ids, each once: as they are where they ascend already, which is how a database lists them. */
function distinct(ids: Uint32Array): Uint32Array {
  const ascend = (sorted: Uint32Array) => sorted.every((id, i) => i === 0 || id > (sorted[i - 1] as number));
  if (ascend(ids)) return ids;
  const sorted = ids.toSorted();
  return sorted.filter((id, i) => i === 0 || id !== sorted[i - 1]);
}
