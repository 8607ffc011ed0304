import { WaymarkError } from '../../../domain/errors.js';

/** Rows per call of `scan` or `gather`: their scores fit in L1 cache. */
export const ROWS_PER_CALL = 4096;

/** Rows are padded with zeros to whole lines of 16 elements (64 bytes), so that a kernel needs no tail. */
export const LINE = 16;

/** The reach of 32-bit addresses. */
export const MAXIMUM_BYTES = 2 ** 32;

/** V8 limits a Map to this many entries, and the HNSW graph maps each id to its node. */
const MAXIMUM_ROWS = 2 ** 24;

const INITIAL_ROWS = 64;

/**
 * Vectors in one contiguous array, one per row, and the kernel that scores them. Slots and lengths are not checked: the
 * index above does that. A score depends only on the two vectors, never on the slot, the call or the kernel.
 */
export interface Rows {
  /** The implementation that scores the rows. */
  readonly kernel: 'wasm' | 'javascript';
  /** Ensures capacity for `count` rows. Throws `VECTOR_INDEX_UNAVAILABLE` when memory or address space runs out. */
  reserve(count: number): void;
  write(slot: number, embedding: Float32Array): void;
  /** A copy of the row, without its padding. */
  read(slot: number): Float32Array;
  copy(from: number, to: number): void;
  /** Sets the query that later calls of `scan` and `gather` score against. */
  setQuery(query: Float32Array): void;
  /** Scores `count` rows from slot `first`, at most `ROWS_PER_CALL`. The next call overwrites the result. */
  scan(first: number, count: number): Float32Array;
  /** Scores the rows in the given slots, at most `ROWS_PER_CALL`. The next call overwrites the result. */
  gather(slots: Uint32Array): Float32Array;
}

/** Elements per row, padding included. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / LINE) * LINE;
}

/** The capacity, in rows, to grow to: at least twice the current one and at least `count`, limited by `bytes`. */
export function grownCapacity(count: number, room: { capacity: number; bytes: number; stride: number }): number {
  const maximum = Math.min(Math.floor(room.bytes / (4 * room.stride)), MAXIMUM_ROWS);
  if (count > maximum) throw rowsFull(maximum);
  return Math.min(Math.max(2 * room.capacity, count, INITIAL_ROWS), maximum);
}

/** `VECTOR_INDEX_UNAVAILABLE`: no more than `maximum` rows fit. */
export function rowsFull(maximum: number, cause?: unknown): WaymarkError {
  return new WaymarkError(
    'VECTOR_INDEX_UNAVAILABLE',
    `The vector index is full: there is memory for ${maximum} vectors. Split the files across several bots.`,
    { cause },
  );
}
