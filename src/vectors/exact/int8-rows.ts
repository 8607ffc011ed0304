import type { Allowed } from '../allowed.js';
import { INT8_WASM, type Int8Functions } from './int8.js';
import { quantiseQuery } from './int8-query.js';
import { ROWS_PER_CALL, strideOf } from './rows.js';
import { Shortlist } from './shortlist.js';
import { openKernel, PAGE, type WasmMemory } from './wasm.js';

/** Rows that lie together, elements in turn (int8.wat). */
const GROUP = 4;

/** Far more than the int8 rows take of as many vectors as fit 4 GiB in float32: a quarter and 8 bytes each. */
const MAXIMUM_PAGES = 2 ** 31 / PAGE;

/** The first bytes of the memory are the kernel's own. */
const QUERY_AT = 64;

const GROUPS_PER_CALL = ROWS_PER_CALL / GROUP;
const ALL_OF_GROUP = 2 ** GROUP - 1;

/**
 * Vectors in int8, a quarter of their memory, for a first look at all of them: which may be among the nearest? Slots
 * and lengths are not checked: the index above does that.
 */
export class Int8Rows {
  readonly #memory: WasmMemory;
  readonly #functions: Int8Functions;
  readonly #stride: number;
  readonly #groupBytes: number;
  readonly #vectorAt: number;
  readonly #allowedAt: number;
  readonly #foundAt: number;
  readonly #groupsAt: number;
  /** In groups. */
  #capacity = 0;
  // Views of the memory: growing it detaches them, so `#look` makes them anew.
  #vector = new Float32Array();
  #query = new Int16Array();
  #allowed = new Uint8Array();
  #slots = new Uint32Array();
  #most = new Float32Array();
  #least = new Float32Array();

  /** Undefined where there is no WebAssembly with SIMD, or no address space left for a memory. */
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
    this.#allowedAt = this.#vectorAt + 4 * this.#stride;
    this.#foundAt = this.#allowedAt + GROUPS_PER_CALL;
    this.#groupsAt = Math.ceil((this.#foundAt + 3 * 4 * ROWS_PER_CALL) / 64) * 64;
  }

  /** Whether there is room for so many rows now. */
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
    this.#look();
    return true;
  }

  write(slot: number, embedding: Float32Array): void {
    this.#vector.set(embedding);
    const group = this.#groupsAt + Math.floor(slot / GROUP) * this.#groupBytes;
    this.#functions.quantise(this.#vectorAt, this.#stride, group, slot % GROUP);
  }

  /**
   * The rows that may be among the `limit` nearest out of the first `count`; out of those allowed, where that is given.
   */
  shortlist(
    query: Float32Array,
    options: { readonly count: number; readonly limit: number; readonly allowed?: Allowed | undefined },
  ): Shortlist {
    const { count, limit, allowed } = options;
    const { factor, weight, margin } = quantiseQuery(query, this.#query);
    const shortlist = new Shortlist({ limit, margin });
    for (let first = 0; first < count; first += ROWS_PER_CALL) {
      const rows = Math.min(ROWS_PER_CALL, count - first);
      this.#allow(first, rows, allowed);
      const end = this.#functions.scan(
        QUERY_AT,
        this.#groupsAt + (first / GROUP) * this.#groupBytes,
        this.#stride,
        this.#allowedAt,
        Math.ceil(rows / GROUP),
        factor,
        weight,
        shortlist.threshold,
        this.#foundAt,
      );
      const found = (end - this.#foundAt) / 4;
      shortlist.push({ first, count: found, slots: this.#slots, least: this.#least, most: this.#most });
    }
    return shortlist;
  }

  #allow(first: number, rows: number, allowed: Allowed | undefined): void {
    const groups = Math.ceil(rows / GROUP);
    if (allowed) this.#allowed.set(allowed.groups.subarray(first / GROUP, first / GROUP + groups));
    else this.#allowed.fill(ALL_OF_GROUP, 0, groups);
    // Behind the last row lies what was removed, or nothing.
    const beyond = groups * GROUP - rows;
    this.#allowed[groups - 1] = (this.#allowed[groups - 1] as number) & (ALL_OF_GROUP >> beyond);
  }

  #look(): void {
    const { buffer } = this.#memory;
    this.#query = new Int16Array(buffer, QUERY_AT, this.#stride);
    this.#vector = new Float32Array(buffer, this.#vectorAt, this.#stride);
    this.#allowed = new Uint8Array(buffer, this.#allowedAt, GROUPS_PER_CALL);
    this.#slots = new Uint32Array(buffer, this.#foundAt, ROWS_PER_CALL);
    this.#most = new Float32Array(buffer, this.#foundAt + 4 * ROWS_PER_CALL, ROWS_PER_CALL);
    this.#least = new Float32Array(buffer, this.#foundAt + 8 * ROWS_PER_CALL, ROWS_PER_CALL);
  }
}
