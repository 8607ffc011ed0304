import type { Neighbour } from '../../domain/passage.js';
import { checkDimensions, checkId, checkLimit } from '../checks.js';
import { checkEmbedding, type VectorIndex } from '../vector-index.js';
import { IdTable } from './id-table.js';
import { Int8Rows } from './int8-rows.js';
import { Nearest } from './nearest.js';
import { openRows, type RowOptions } from './rows/open-rows.js';
import { ROWS_PER_CALL, type Rows } from './rows/rows.js';
import type { Shortlist } from './shortlist.js';
import { SlotMask } from './slot-mask.js';

/** Fewer float32 rows than this are scanned within 0.25 ms. */
const INT8_FROM = 4096;

/** Rows per wanted result below which shortlisting by int8 rows saves too little. */
const ROWS_PER_NEIGHBOUR = 8;

/**
 * Measured number of contiguous rows that are scanned in the time of one scattered float32 row, by precision of the
 * scan.
 */
const ROWS_PER_GATHERED = { int8: 14, float: 3 };

/** How an exact index stores and scores its vectors. */
export interface ExactOptions extends RowOptions {
  /**
   * Whether a search scores float32 rows only, or shortlists int8 rows and scores the shortlist by float32. Results are
   * the same; int8 takes a quarter more memory and a third to a half of the time. Defaults to int8 from 4,096 vectors
   * on. Without SIMD in WebAssembly it is always float.
   */
  readonly precision?: 'float' | 'int8';
}

/**
 * Finds nearest neighbours by scoring every vector, so that results are exact. With 100,000 vectors of 384 dimensions,
 * the 10 nearest take about 1.7 ms and the 1,000 nearest 2.8 ms. Memory is 5 bytes per dimension and vector.
 */
export class ExactIndex implements VectorIndex {
  readonly kind = 'exact';
  readonly dimensions: number;
  readonly #rows: Rows;
  readonly #slotOf = new IdTable();
  /** Ids by slot; slots 0 to size - 1 are in use. */
  #ids = new Uint32Array(64);
  #int8: Int8Rows | undefined;
  /** The number of rows from which int8 rows are kept beside the float32 rows. */
  #int8From: number;
  /** The mask of the last filter: computing it takes a quarter of a search, and filters repeat. */
  #lastFilter: { readonly only: Uint32Array; readonly mask: SlotMask } | undefined;

  /**
   * Throws `INVALID_ARGUMENT` for dimensions outside 1 to 65,536, `VECTOR_INDEX_UNAVAILABLE` for `kernel: 'wasm'` where
   * WebAssembly has no SIMD.
   */
  constructor(options: ExactOptions) {
    checkDimensions(options.dimensions);
    this.dimensions = options.dimensions;
    this.#rows = openRows(options);
    const fast = this.kernel === 'wasm' && options.precision !== 'float';
    this.#int8From = fast ? (options.precision === 'int8' ? 0 : INT8_FROM) : Number.POSITIVE_INFINITY;
  }

  get size(): number {
    return this.#slotOf.size;
  }

  /** The implementation that scores the rows. */
  get kernel(): 'wasm' | 'javascript' {
    return this.#rows.kernel;
  }

  /** The precision of the first pass of a search, at the current size. */
  get precision(): 'float' | 'int8' {
    return this.#int8 ? 'int8' : 'float';
  }

  has(id: number): boolean {
    return this.#slotOf.get(id) >= 0;
  }

  /** The ids held, in no particular order. */
  ids(): IterableIterator<number> {
    return this.#ids.subarray(0, this.size).values();
  }

  /** A copy of the vector of an id, or undefined if the id is not held. */
  embedding(id: number): Float32Array | undefined {
    const slot = this.#slotOf.get(id);
    return slot < 0 ? undefined : this.#rows.read(slot);
  }

  add(id: number, embedding: Float32Array): void {
    checkId(id);
    checkEmbedding(embedding, this.dimensions);
    let slot = this.#slotOf.get(id);
    if (slot < 0) {
      this.#lastFilter = undefined;
      slot = this.size;
      this.#rows.reserve(slot + 1);
      if (slot === this.#ids.length) this.#ids = grown(this.#ids);
      this.#ids[slot] = id;
      this.#slotOf.set(id, slot);
    }
    this.#rows.write(slot, embedding);
    this.#quantise(slot, embedding);
  }

  remove(id: number): boolean {
    const slot = this.#slotOf.get(id);
    if (slot < 0) return false;
    this.#lastFilter = undefined;
    // The last row fills the gap: rows stay contiguous.
    const last = this.size - 1;
    const moved = this.#ids[last] as number;
    this.#rows.copy(last, slot);
    this.#int8?.write(slot, this.#rows.read(last));
    this.#ids[slot] = moved;
    this.#slotOf.set(moved, slot);
    this.#slotOf.delete(id);
    return true;
  }

  search(query: Float32Array, options: { readonly limit: number; readonly only?: Uint32Array }): Neighbour[] {
    const { limit, only } = options;
    checkLimit(limit);
    checkEmbedding(query, this.dimensions);
    this.#rows.setQuery(query);
    const nearest = new Nearest(limit);
    const rows = only?.length ?? this.size;
    const int8 = rows > ROWS_PER_NEIGHBOUR * limit ? this.#int8 : undefined;
    if (only && rows <= this.size / ROWS_PER_GATHERED[int8 ? 'int8' : 'float']) {
      this.#offer(this.#slotsOf(only), nearest);
    } else {
      const mask = only && this.#maskOf(only);
      if (int8) this.#offerShortlist(int8.shortlist(query, { count: this.size, limit, mask }), nearest);
      else this.#offerAll(nearest, mask);
    }
    return nearest.sorted();
  }

  scores(query: Float32Array, ids: Uint32Array): Float32Array {
    checkEmbedding(query, this.dimensions);
    this.#rows.setQuery(query);
    const all = new Float32Array(ids.length).fill(Number.NaN);
    const places = new Uint32Array(ids.length);
    const slots = new Uint32Array(ids.length);
    let held = 0;
    for (let place = 0; place < ids.length; place++) {
      const slot = this.#slotOf.get(ids[place] as number);
      if (slot < 0) continue;
      places[held] = place;
      slots[held++] = slot;
    }
    this.#gather(slots.subarray(0, held), (scores, first) => {
      for (let i = 0; i < scores.length; i++) all[places[first + i] as number] = scores[i] as number;
    });
    return all;
  }

  #offerAll(nearest: Nearest, mask: SlotMask | undefined): void {
    for (let first = 0; first < this.size; first += ROWS_PER_CALL) {
      const scores = this.#rows.scan(first, Math.min(ROWS_PER_CALL, this.size - first));
      for (let i = 0; i < scores.length; i++) {
        const score = scores[i] as number;
        if (score < nearest.threshold || mask?.has(first + i) === false) continue;
        nearest.offer(this.#ids[first + i] as number, score);
      }
    }
  }

  #offerShortlist(shortlist: Shortlist, nearest: Nearest): void {
    this.#offer(shortlist.surest(), nearest);
    this.#offer(shortlist.reaching(nearest.threshold), nearest);
  }

  #offer(slots: Uint32Array, nearest: Nearest): void {
    this.#gather(slots, (scores, first) => {
      for (let i = 0; i < scores.length; i++) {
        const score = scores[i] as number;
        if (score >= nearest.threshold) nearest.offer(this.#ids[slots[first + i] as number] as number, score);
      }
    });
  }

  /** Passes the scores of the slots to `each`, `ROWS_PER_CALL` at a time; `first` is the offset into `slots`. */
  #gather(slots: Uint32Array, each: (scores: Float32Array, first: number) => void): void {
    for (let first = 0; first < slots.length; first += ROWS_PER_CALL) {
      each(this.#rows.gather(slots.subarray(first, first + ROWS_PER_CALL)), first);
    }
  }

  /** The slots of the ids that are held, without duplicates. */
  #slotsOf(ids: Uint32Array): Uint32Array {
    const unique = distinct(ids);
    const slots = new Uint32Array(unique.length);
    let held = 0;
    for (let i = 0; i < unique.length; i++) {
      const slot = this.#slotOf.get(unique[i] as number);
      if (slot >= 0) slots[held++] = slot;
    }
    return slots.subarray(0, held);
  }

  #maskOf(ids: Uint32Array): SlotMask {
    if (this.#lastFilter?.only === ids) return this.#lastFilter.mask;
    const mask = new SlotMask(this.size);
    for (let i = 0; i < ids.length; i++) {
      const slot = this.#slotOf.get(ids[i] as number);
      if (slot >= 0) mask.add(slot);
    }
    this.#lastFilter = { only: ids, mask };
    return mask;
  }

  /**
   * Updates the int8 rows: creates them once there are enough rows, keeps them when there are fewer again, and drops
   * them when memory runs out.
   */
  #quantise(slot: number, embedding: Float32Array): void {
    if (!this.#int8 && this.size < this.#int8From) return;
    const int8 = this.#int8 ?? Int8Rows.open(this.dimensions);
    if (!int8?.reserve(this.size)) {
      this.#int8 = undefined;
      this.#int8From = Number.POSITIVE_INFINITY;
    } else if (this.#int8) {
      int8.write(slot, embedding);
    } else {
      for (let each = 0; each < this.size; each++) int8.write(each, this.#rows.read(each));
      this.#int8 = int8;
    }
  }
}

function grown(ids: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(2 * ids.length);
  longer.set(ids);
  return longer;
}

/** The ids without duplicates. Ids that ascend, as a database lists them, are returned as they are. */
function distinct(ids: Uint32Array): Uint32Array {
  if (isAscending(ids)) return ids;
  const sorted = ids.toSorted();
  return sorted.filter((id, i) => i === 0 || id !== sorted[i - 1]);
}

function isAscending(ids: Uint32Array): boolean {
  for (let i = 1; i < ids.length; i++) if ((ids[i] as number) <= (ids[i - 1] as number)) return false;
  return true;
}
