import type { ModelCard } from './embedder.js';

/** Combines the token vectors of one text (row-major, `dimensions` elements per row, no padding) into a unit vector. */
export function pool(tokens: Float32Array, dimensions: number, pooling: ModelCard['pooling']): Float32Array {
  if (pooling === 'cls') return normalise(tokens.slice(0, dimensions));
  const rows = Array.from({ length: tokens.length / dimensions }, (_, row) =>
    tokens.subarray(row * dimensions, (row + 1) * dimensions),
  );
  return meanOf(rows);
}

/** The normalised mean of vectors of equal length. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (const [i, element] of vector.entries()) sum[i] = (sum[i] ?? 0) + element;
  }
  return normalise(Float32Array.from(sum));
}

/** Scales a vector to length 1. The zero vector, which has no direction, becomes the first axis. */
export function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((squares, element) => squares + element * element, 0));
  return length === 0 ? vector.map((_, i) => (i === 0 ? 1 : 0)) : vector.map((element) => element / length);
}
