import { WaymarkError } from '../../../domain/errors.js';
import { JavaScriptRows } from './javascript-rows.js';
import type { Rows } from './rows.js';
import { WasmRows } from './wasm-rows.js';

/** The size of the rows and the kernel that scores them. */
export interface RowOptions {
  /** Elements per vector, 1 to 65,536. */
  readonly dimensions: number;
  /** Defaults to WebAssembly where it has SIMD, otherwise JavaScript. Both give the same scores, bit for bit. */
  readonly kernel?: 'wasm' | 'javascript';
  /** Memory limit of the float32 rows, in bytes. Defaults to 4 GiB, which is also the maximum. */
  readonly maximumBytes?: number;
}

/** Creates empty rows. Throws `VECTOR_INDEX_UNAVAILABLE` for `kernel: 'wasm'` where that is not available. */
export function openRows(options: RowOptions): Rows {
  if (options.kernel !== 'javascript') {
    const rows = WasmRows.open(options);
    if (rows !== undefined) return rows;
    if (options.kernel === 'wasm') {
      throw new WaymarkError(
        'VECTOR_INDEX_UNAVAILABLE',
        'WebAssembly with SIMD, or address space for its memory, is not available: ' +
          "omit the kernel, or use 'javascript'.",
      );
    }
  }
  return new JavaScriptRows(options);
}
