import { expect, it } from 'vitest';
import { DOT_WASM } from '#src/vectors/exact/kernels/dot.js';
import { INT8_WASM } from '#src/vectors/exact/kernels/int8.js';
import { WasmRows } from '#src/vectors/exact/rows/wasm-rows.js';
import { compileWat } from './compile-wat.js';

it('each kernel matches its .wat file', async () => {
  expect(DOT_WASM).toBe(await compileWat('dot'));
  expect(INT8_WASM).toBe(await compileWat('int8'));
});

it('the float32 kernel reaches rows on both sides of 2 GiB and the row that ends at 4 GiB', () => {
  // With 8,192 dimensions, the query, 32 KiB of slots and scores and 131,070 rows fill 4 GiB. Untouched pages are free.
  const rows = WasmRows.open({ dimensions: 8192 });
  rows?.reserve(131_070);
  const row = new Float32Array(8192);
  for (const [place, slot] of [0, 70_000, 131_069].entries()) rows?.write(slot, row.fill(place + 1));
  rows?.setQuery(row.fill(0.5));
  expect(rows?.gather(Uint32Array.of(131_069, 0, 70_000))).toEqual(Float32Array.of(3 * 4096, 4096, 2 * 4096));
  expect(rows?.scan(131_068, 2)).toEqual(Float32Array.of(0, 3 * 4096));
  expect(() => rows?.reserve(131_071)).toThrow(expect.objectContaining({ code: 'VECTOR_INDEX_UNAVAILABLE' }));
});
