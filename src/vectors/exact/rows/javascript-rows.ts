import { grownCapacity, LINE, MAXIMUM_BYTES, ROWS_PER_CALL, type Rows, rowsFull, strideOf } from './rows.js';

/** Rows in a Float32Array, for machines where WebAssembly has no SIMD: the same scores, about eight times slower. */
export class JavaScriptRows implements Rows {
  readonly kernel = 'javascript';
  readonly #dimensions: number;
  readonly #stride: number;
  readonly #bytes: number;
  readonly #query: Float32Array;
  readonly #scores = new Float32Array(ROWS_PER_CALL);
  #rows = new Float32Array();

  constructor(options: { dimensions: number; maximumBytes?: number }) {
    this.#dimensions = options.dimensions;
    this.#stride = strideOf(options.dimensions);
    this.#bytes = Math.min(options.maximumBytes ?? MAXIMUM_BYTES, MAXIMUM_BYTES);
    this.#query = new Float32Array(this.#stride);
  }

  reserve(count: number): void {
    const capacity = this.#rows.length / this.#stride;
    if (count <= capacity) return;
    const grown = grownCapacity(count, { capacity, bytes: this.#bytes, stride: this.#stride });
    try {
      const rows = new Float32Array(grown * this.#stride);
      rows.set(this.#rows);
      this.#rows = rows;
    } catch (error) {
      throw rowsFull(capacity, error);
    }
  }

  write(slot: number, embedding: Float32Array): void {
    this.#rows.set(embedding, slot * this.#stride);
  }

  read(slot: number): Float32Array {
    return this.#rows.slice(slot * this.#stride, slot * this.#stride + this.#dimensions);
  }

  copy(from: number, to: number): void {
    this.#rows.copyWithin(to * this.#stride, from * this.#stride, (from + 1) * this.#stride);
  }

  setQuery(query: Float32Array): void {
    this.#query.set(query);
  }

  scan(first: number, count: number): Float32Array {
    for (let i = 0; i < count; i++) this.#scores[i] = dot(this.#query, this.#rows, (first + i) * this.#stride);
    return this.#scores.subarray(0, count);
  }

  gather(slots: Uint32Array): Float32Array {
    for (let i = 0; i < slots.length; i++) {
      this.#scores[i] = dot(this.#query, this.#rows, (slots[i] as number) * this.#stride);
    }
    return this.#scores.subarray(0, slots.length);
  }
}

const { fround } = Math;

/**
 * Computes the sums of dot.wat in the same order, each rounded to float32, so that both kernels give a pair the same
 * score. Of the 16 partial sums, `a` to `d` are one lane of its four accumulators.
 */
function dot(query: Float32Array, rows: Float32Array, row: number): number {
  return fround(
    fround(lane(query, rows, { row, at: 0 }) + lane(query, rows, { row, at: 1 })) +
      fround(lane(query, rows, { row, at: 2 }) + lane(query, rows, { row, at: 3 })),
  );
}

function lane(query: Float32Array, rows: Float32Array, from: { row: number; at: number }): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = from.at, j = from.row + from.at; i < query.length; i += LINE, j += LINE) {
    a = fround(a + fround((query[i] as number) * (rows[j] as number)));
    b = fround(b + fround((query[i + 4] as number) * (rows[j + 4] as number)));
    c = fround(c + fround((query[i + 8] as number) * (rows[j + 8] as number)));
    d = fround(d + fround((query[i + 12] as number) * (rows[j + 12] as number)));
  }
  return fround(fround(a + b) + fround(c + d));
}
