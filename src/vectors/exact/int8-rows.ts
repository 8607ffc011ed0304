import { quantiseQuery } from './int8-query.js';
import { INT8_WASM, type Int8Functions } from './kernels/int8.js';
import { openKernel, PAGE, type WasmMemory } from './kernels/wasm.js';
import { ROWS_PER_CALL, strideOf } from './rows/rows.js';
import { Shortlist } from './shortlist.js';
import type { SlotMask } from './slot-mask.js';

/** Rows that int8.wat interleaves. */
const GROUP = 4;

/** Ample: vectors that fit 4 GiB as float32 take a quarter of that as int8, plus 8 bytes each. */
const MAXIMUM_PAGES = 2 ** 31 / PAGE;

/** The bytes before are scratch space of the kernel. */
const QUERY_AT = 64;

const GROUPS_PER_CALL = ROWS_PER_CALL / GROUP;
const FULL_GROUP = 2 ** GROUP - 1;

/**
 * Vectors quantised to int8, a quarter of their size, from which a search shortlists the rows that may be among the
 * nearest. Slots and lengths are not checked: the index above does that.
 */
export class Int8Rows {
  readonly #memory: WasmMemory;
  readonly #functions: Int8Functions;
  readonly #stride: number;
  readonly #groupBytes: number;
  readonly #vectorAt: number;
  readonly #maskAt: number;
  readonly #foundAt: number;
  readonly #groupsAt: number;
  /** In groups. */
  #capacity = 0;
  // Views of the memory: growing it detaches them, so `#refreshViews` recreates them.
  #vector = new Float32Array();
  #query = new Int16Array();
  #mask = new Uint8Array();
  #slots = new Uint32Array();
  #upper = new Float32Array();
  #lower = new Float32Array();

  /** Returns undefined where WebAssembly has no SIMD or no address space is left for a memory. */
  static open(dimensions: number): Int8Rows | undefined {
    const opened = openKernel<Int8Functions>(INT8_WASM, MAXIMUM_PAGES);
    return opened && new Int8Rows(dimensions, opened);
  }

  private constructor(dimensions: number, opened: { memory: WasmMemory; functions: Int8Functions }) {
    this.#memory = opened.memory;
    this.#functions = opened.functions;
    this.#stride = strideOf(dimensions);
    this.#groupBytes = GROUP * (this.#stride + 8);
    this.#vectorAt = QUERY_AT + 2 * this.#stride;
    this.#maskAt = this.#vectorAt + 4 * this.#stride;
    this.#foundAt = this.#maskAt + GROUPS_PER_CALL;
    this.#groupsAt = Math.ceil((this.#foundAt + 3 * 4 * ROWS_PER_CALL) / 64) * 64;
  }

  /** Ensures capacity for `count` rows; returns false when memory runs out. */
  reserve(count: number): boolean {
    const groups = Math.ceil(count / GROUP);
    if (groups <= this.#capacity) return true;
    const capacity = Math.max(groups, 2 * this.#capacity);
    const missing = this.#groupsAt + capacity * this.#groupBytes - this.#memory.buffer.byteLength;
    try {
      if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    } catch {
      return false;
    }
    this.#capacity = capacity;
    this.#refreshViews();
    return true;
  }

  write(slot: number, embedding: Float32Array): void {
    this.#vector.set(embedding);
    const group = this.#groupsAt + Math.floor(slot / GROUP) * this.#groupBytes;
    this.#functions.quantise(this.#vectorAt, this.#stride, group, slot % GROUP);
  }

  /** The rows that may be among the `limit` nearest of the first `count`, or of those in `mask`. */
  shortlist(
    query: Float32Array,
    options: { readonly count: number; readonly limit: number; readonly mask?: SlotMask | undefined },
  ): Shortlist {
    const { count, limit, mask } = options;
    const { factor, weight, margin } = quantiseQuery(query, this.#query);
    const shortlist = new Shortlist({ limit, margin });
    for (let first = 0; first < count; first += ROWS_PER_CALL) {
      const rows = Math.min(ROWS_PER_CALL, count - first);
      this.#setMask(first, rows, mask);
      const end = this.#functions.scan(
        QUERY_AT,
        this.#groupsAt + (first / GROUP) * this.#groupBytes,
        this.#stride,
        this.#maskAt,
        Math.ceil(rows / GROUP),
        factor,
        weight,
        shortlist.threshold,
        this.#foundAt,
      );
      const found = (end - this.#foundAt) / 4;
      shortlist.push({ first, count: found, slots: this.#slots, lower: this.#lower, upper: this.#upper });
    }
    return shortlist;
  }

  #setMask(first: number, rows: number, mask: SlotMask | undefined): void {
    const groups = Math.ceil(rows / GROUP);
    if (mask) this.#mask.set(mask.groups.subarray(first / GROUP, first / GROUP + groups));
    else this.#mask.fill(FULL_GROUP, 0, groups);
    // The last group may extend beyond the last row, where removed rows are.
    const beyond = groups * GROUP - rows;
    this.#mask[groups - 1] = (this.#mask[groups - 1] as number) & (FULL_GROUP >> beyond);
  }

  #refreshViews(): void {
    const { buffer } = this.#memory;
    this.#query = new Int16Array(buffer, QUERY_AT, this.#stride);
    this.#vector = new Float32Array(buffer, this.#vectorAt, this.#stride);
    this.#mask = new Uint8Array(buffer, this.#maskAt, GROUPS_PER_CALL);
    this.#slots = new Uint32Array(buffer, this.#foundAt, ROWS_PER_CALL);
    this.#upper = new Float32Array(buffer, this.#foundAt + 4 * ROWS_PER_CALL, ROWS_PER_CALL);
    this.#lower = new Float32Array(buffer, this.#foundAt + 8 * ROWS_PER_CALL, ROWS_PER_CALL);
  }
}
