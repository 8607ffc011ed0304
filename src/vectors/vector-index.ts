import { WaymarkError } from '../domain/errors.js';
import type { Neighbour } from '../domain/passage.js';

/** Greatest id an index takes: hnswlib's labels are 32 bits wide and wrap silently beyond. */
export const MAX_ID = 0xffff_ffff;

/** How far from 1 the length of a "unit" vector may be: float32 rounding, no more. */
const UNIT_TOLERANCE = 1e-3;

/** Which vector index serves: `auto` is exact for up to 1,500,000 passages, HNSW above. */
export type IndexKind = 'auto' | 'exact' | 'hnsw';

/** Finds the unit vectors nearest to one: the contract of the exact and the HNSW index. */
export interface VectorIndex {
  readonly kind: 'exact' | 'hnsw';
  /** Length of each vector. */
  readonly dimensions: number;
  /** Number of vectors held. */
  readonly size: number;
  has(id: number): boolean;
  /** Adds a unit vector under an id in 0..2³²-1; an id that is held already is replaced. Throws `EMBEDDING_INVALID`. */
  add(id: number, embedding: Float32Array): void;
  /** Whether the id was held. */
  remove(id: number): boolean;
  /**
   * The `limit` nearest, best first, equal scores by smaller id. With `only`, nearest among those ids, exactly;
   * ids that are not held are passed over. The array is kept for the next search: not to be changed.
   */
  search(query: Float32Array, options: { readonly limit: number; readonly only?: Uint32Array }): Neighbour[];
  /** The scores of the given ids, in their order; NaN for an id that is not held. */
  scores(query: Float32Array, ids: Uint32Array): Float32Array;
  /** The mean score over all vectors held, the same in whatever order they came; 0 for none. */
  meanScore(query: Float32Array): number;
}

/** Throws `EMBEDDING_INVALID` unless the vector has the index's dimensions, finite elements and length 1. */
export function checkEmbedding(embedding: Float32Array, dimensions: number): void {
  if (embedding.length !== dimensions) {
    throw new WaymarkError(
      'EMBEDDING_INVALID',
      `The embedding has ${embedding.length} dimensions and the index ${dimensions}: embed with the model the index was made with.`,
    );
  }
  let squares = 0;
  // By index: an iterator over a typed array takes several times as long.
  for (let i = 0; i < embedding.length; i++) squares += (embedding[i] as number) ** 2;
  // A NaN or infinite element makes the sum so, and every comparison with it false.
  if (!(Math.abs(Math.sqrt(squares) - 1) <= UNIT_TOLERANCE)) {
    throw new WaymarkError(
      'EMBEDDING_INVALID',
      `The embedding's length is ${Math.sqrt(squares)}, not 1: normalise it before it is indexed.`,
    );
  }
}
