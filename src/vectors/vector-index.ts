import { WaymarkError } from '../domain/errors.js';
import type { Neighbour } from '../domain/passage.js';

/** The greatest id that an index accepts: hnswlib's labels have 32 bits and silently wrap beyond. */
export const MAX_ID = 0xffff_ffff;

/** How far from 1 the length of a unit vector may be: float32 rounding, no more. */
const UNIT_TOLERANCE = 1e-3;

/** Which vector index is used: `auto` is exact up to 1,500,000 passages and HNSW above. */
export type IndexKind = 'auto' | 'exact' | 'hnsw';

/**
 * Finds the unit vectors nearest to a query: what the exact and the HNSW index have in common. A score is the dot
 * product of two unit vectors, their cosine. Every method that takes a vector throws `EMBEDDING_INVALID` unless it has
 * the index's dimensions, finite elements and length 1; a call that throws leaves the index unchanged.
 */
export interface VectorIndex {
  /** The implementation. */
  readonly kind: 'exact' | 'hnsw';
  /** Elements per vector. */
  readonly dimensions: number;
  /** Number of vectors held. */
  readonly size: number;
  /** Whether a vector is held under the id. */
  has(id: number): boolean;
  /**
   * Stores a copy of a unit vector under an id from 0 to 2³² - 1, replacing the vector that the id had. Throws
   * `INVALID_ARGUMENT` for any other id.
   */
  add(id: number, embedding: Float32Array): void;
  /** Removes an id; returns whether it was held. */
  remove(id: number): boolean;
  /**
   * The `limit` nearest neighbours, best first; equal scores are ordered by ascending id. With `only`, exactly the
   * nearest among those ids; ids that are not held are ignored. Do not modify the `only` array afterwards: the index
   * keeps it for the next search. Throws `INVALID_ARGUMENT` unless `limit` is an integer of at least 1.
   */
  search(query: Float32Array, options: { readonly limit: number; readonly only?: Uint32Array }): Neighbour[];
  /** The scores of the given ids, in their order; NaN for an id that is not held. */
  scores(query: Float32Array, ids: Uint32Array): Float32Array;
}

/** Throws `EMBEDDING_INVALID` unless the vector has the index's dimensions, finite elements and length 1. */
export function checkEmbedding(embedding: Float32Array, dimensions: number): void {
  if (embedding.length !== dimensions) {
    throw new WaymarkError(
      'EMBEDDING_INVALID',
      `The embedding has ${embedding.length} dimensions, the index has ${dimensions}: ` +
        'use the model that the index was built with.',
    );
  }
  let squares = 0;
  // By index: an iterator over a typed array is several times slower.
  for (let i = 0; i < embedding.length; i++) squares += (embedding[i] as number) ** 2;
  // Written so that NaN, from a NaN or infinite element, fails the comparison.
  if (!(Math.abs(Math.sqrt(squares) - 1) <= UNIT_TOLERANCE)) {
    throw new WaymarkError(
      'EMBEDDING_INVALID',
      `The embedding has length ${Math.sqrt(squares)}, not 1: normalise it first.`,
    );
  }
}
