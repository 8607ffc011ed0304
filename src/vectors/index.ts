/**
 * Nearest neighbours among vectors of your own, without files, text or a database: the indexes behind the engine.
 *
 *     import { ExactIndex } from 'waymark/vectors';
 *
 *     const index = new ExactIndex({ dimensions: 384 });
 *     index.add(0, embedding);
 *     const neighbours = index.search(query, { limit: 10 });
 */

export type { Neighbour } from '../domain/passage.js';
export { ExactIndex, type ExactOptions } from './exact/exact.js';
export { HnswIndex, type HnswOptions } from './hnsw/hnsw.js';
export type { VectorIndex } from './vector-index.js';
