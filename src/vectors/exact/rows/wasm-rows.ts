import { DOT_WASM, type DotFunctions } from '../kernels/dot.js';
import { openKernel, PAGE, type WasmMemory } from '../kernels/wasm.js';
import { grownCapacity, MAXIMUM_BYTES, ROWS_PER_CALL, type Rows, rowsFull, strideOf } from './rows.js';

/** Rows in a WebAssembly memory, laid out as query, slots of a call, scores of a call, rows. */
export class WasmRows implements Rows {
  readonly kernel = 'wasm';
  readonly #memory: WasmMemory;
  readonly #dot: DotFunctions;
  readonly #dimensions: number;
  readonly #stride: number;
  readonly #pages: number;
  readonly #slotsAt: number;
  readonly #scoresAt: number;
  readonly #rowsAt: number;
  #capacity = 0;
  // Views of the memory: growing it detaches them, so `#refreshViews` recreates them.
  #floats = new Float32Array();
  #slots = new Uint32Array();

  /** Returns undefined where WebAssembly has no SIMD or no address space is left for a memory. */
  static open(options: { dimensions: number; maximumBytes?: number }): WasmRows | undefined {
    const pages = Math.floor(Math.min(options.maximumBytes ?? MAXIMUM_BYTES, MAXIMUM_BYTES) / PAGE);
    const opened = openKernel<DotFunctions>(DOT_WASM, pages);
    return opened && new WasmRows(options.dimensions, { ...opened, pages });
  }

  private constructor(dimensions: number, opened: { memory: WasmMemory; functions: DotFunctions; pages: number }) {
    this.#memory = opened.memory;
    this.#dot = opened.functions;
    this.#pages = opened.pages;
    this.#dimensions = dimensions;
    this.#stride = strideOf(dimensions);
    this.#slotsAt = 4 * this.#stride;
    this.#scoresAt = this.#slotsAt + 4 * ROWS_PER_CALL;
    this.#rowsAt = this.#scoresAt + 4 * ROWS_PER_CALL;
    this.reserve(1);
  }

  reserve(count: number): void {
    if (count <= this.#capacity) return;
    const bytes = this.#pages * PAGE - this.#rowsAt;
    const capacity = grownCapacity(count, { capacity: this.#capacity, bytes, stride: this.#stride });
    const missing = this.#rowsAt + 4 * this.#stride * capacity - this.#memory.buffer.byteLength;
    try {
      if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    } catch (error) {
      throw rowsFull(this.#capacity, error);
    }
    this.#capacity = capacity;
    this.#refreshViews();
  }

  write(slot: number, embedding: Float32Array): void {
    this.#floats.set(embedding, this.#elementOf(slot));
  }

  read(slot: number): Float32Array {
    const element = this.#elementOf(slot);
    return this.#floats.slice(element, element + this.#dimensions);
  }

  copy(from: number, to: number): void {
    const element = this.#elementOf(from);
    this.#floats.copyWithin(this.#elementOf(to), element, element + this.#stride);
  }

  setQuery(query: Float32Array): void {
    this.#floats.set(query);
  }

  scan(first: number, count: number): Float32Array {
    // An address above 2 GiB arrives in WebAssembly as a negative number, which is the same 32 bits.
    const row = 4 * this.#elementOf(first);
    if (count > 0) this.#dot.scan(0, row, 4 * this.#stride, count, this.#scoresAt);
    return this.#scores(count);
  }

  gather(slots: Uint32Array): Float32Array {
    this.#slots.set(slots);
    const count = slots.length;
    if (count > 0) this.#dot.gather(0, this.#rowsAt, 4 * this.#stride, this.#slotsAt, count, this.#scoresAt);
    return this.#scores(count);
  }

  #refreshViews(): void {
    this.#floats = new Float32Array(this.#memory.buffer);
    this.#slots = new Uint32Array(this.#memory.buffer, this.#slotsAt, ROWS_PER_CALL);
  }

  #scores(count: number): Float32Array {
    return this.#floats.subarray(this.#scoresAt / 4, this.#scoresAt / 4 + count);
  }

  #elementOf(slot: number): number {
    return this.#rowsAt / 4 + slot * this.#stride;
  }
}
