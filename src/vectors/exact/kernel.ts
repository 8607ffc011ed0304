import { WaymarkError } from '../../domain/errors.js';
import { JavaScriptRows } from './javascript-rows.js';
import type { Rows } from './rows.js';
import { WasmRows } from './wasm-rows.js';

/** Where rows lie and what scores them. */
export interface KernelOptions {
  readonly dimensions: number;
  /** The faster that works here, unless one is named: both give the same scores. */
  readonly kernel?: 'wasm' | 'javascript';
  /** Most memory that float32 rows may take; default, and at most, 4 GiB. */
  readonly maximumBytes?: number;
}

/** Empty rows. Throws `VECTOR_INDEX_UNAVAILABLE` when WebAssembly is named where it does not work. */
export function openRows(options: KernelOptions): Rows {
  if (options.kernel !== 'javascript') {
    const rows = WasmRows.open(options);
    if (rows !== undefined) return rows;
    if (options.kernel === 'wasm') {
      throw new WaymarkError(
        'VECTOR_INDEX_UNAVAILABLE',
        "There is no WebAssembly with SIMD here, or no address space for its memory: leave the kernel out, or name 'javascript'.",
      );
    }
  }
  return new JavaScriptRows(options);
}
