import { WaymarkError } from '../../domain/errors.js';

/** How many rows one call of `scan` or `gather` takes: their scores fit a near cache. */
export const ROWS_PER_CALL = 4096;

/** Rows are padded with zeros to whole lines of 16 elements (64 bytes), so that a kernel needs no tail. */
export const LINE = 16;

/** What 32-bit addresses reach. */
export const MAXIMUM_BYTES = 2 ** 32;

/** V8 lets a Map hold no more entries, and the HNSW graph maps each id to its node. */
const MAXIMUM_ROWS = 2 ** 24;

const FIRST_ROWS = 64;

/**
 * Vectors in one contiguous array, a row each, and the kernel that scores them. Slots and lengths are not checked:
 * the index above does that. A score depends on the two vectors alone, not on the slot, the call or the kernel.
 */
export interface Rows {
  readonly kernel: 'wasm' | 'javascript';
  /** Makes room for so many rows. Throws `VECTOR_INDEX_UNAVAILABLE` when memory or addresses do not suffice. */
  reserve(count: number): void;
  write(slot: number, embedding: Float32Array): void;
  /** A copy of the row, without its padding. */
  read(slot: number): Float32Array;
  copy(from: number, to: number): void;
  /** Sets the query of the calls that follow. */
  ask(query: Float32Array): void;
  /** Scores of `count` rows from slot `first`, at most `ROWS_PER_CALL`; overwritten by the next call. */
  scan(first: number, count: number): Float32Array;
  /** Scores of the rows in the given slots, at most `ROWS_PER_CALL`; overwritten by the next call. */
  gather(slots: Uint32Array): Float32Array;
}

/** Elements of a row of so many dimensions, with its padding. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / LINE) * LINE;
}

/** The capacity to grow to, in rows: doubled until it holds `count`, and never above what `bytes` hold. */
export function grownCapacity(count: number, room: { capacity: number; bytes: number; stride: number }): number {
  const maximum = Math.min(Math.floor(room.bytes / (4 * room.stride)), MAXIMUM_ROWS);
  if (count > maximum) throw rowsFull(maximum);
  return Math.min(Math.max(2 * room.capacity, count, FIRST_ROWS), maximum);
}

export function rowsFull(maximum: number, cause?: unknown): WaymarkError {
  return new WaymarkError(
    'VECTOR_INDEX_UNAVAILABLE',
    `The vector index is full: there is memory for ${maximum} vectors. Spread the files over several bots.`,
    { cause },
  );
}
