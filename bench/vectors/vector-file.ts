import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** The first `count` vectors of a file of float32 rows in the byte order of this machine. */
export interface VectorFile {
  readonly file: string;
  readonly dimensions: number;
  readonly count: number;
}

/** Vectors that are read at a time. The memory of a contender is measured, and the file must not be part of it. */
const SLICE = 1000;

export function writeVectors(file: string, vectors: Iterable<Float32Array>): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const vector of vectors) writeSync(descriptor, bytesOf(vector));
  } finally {
    closeSync(descriptor);
  }
}

/** The vectors in order. Each is a view of a slice that is not written again. */
export function* readVectors(vectors: VectorFile): Generator<Float32Array> {
  for (const slice of readSlices(vectors)) yield* rowsOf(slice, vectors.dimensions);
}

/** The vectors in order, many to an array. Throws `RangeError` if the file has fewer than `count`. */
export function* readSlices({ file, dimensions, count }: VectorFile): Generator<Float32Array> {
  const descriptor = openSync(file, 'r');
  try {
    for (let first = 0; first < count; first += SLICE) {
      const slice = new Float32Array(Math.min(SLICE, count - first) * dimensions);
      const read = readSync(descriptor, bytesOf(slice), { position: first * dimensions * 4 });
      if (read < slice.byteLength) throw new RangeError(`${file} has fewer than ${count} vectors`);
      yield slice;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The vectors of a slice, as views. */
export function rowsOf(slice: Float32Array, dimensions: number): Float32Array[] {
  return Array.from({ length: slice.length / dimensions }, (_, i) =>
    slice.subarray(i * dimensions, (i + 1) * dimensions),
  );
}

/** The bytes of a vector, as a view. */
export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
