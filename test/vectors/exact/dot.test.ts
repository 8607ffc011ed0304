import { expect, it } from 'vitest';
import { DOT_WASM } from '#src/vectors/exact/dot.js';
import { INT8_WASM } from '#src/vectors/exact/int8.js';
import { WasmRows } from '#src/vectors/exact/wasm-rows.js';
import { compileWat } from './compile-wat.js';

it('is compiled from dot.wat as it stands, as the other kernel is from int8.wat', async () => {
  expect(DOT_WASM).toBe(await compileWat('dot'));
  expect(INT8_WASM).toBe(await compileWat('int8'));
});

it('reaches rows on both sides of 2 GiB and the row that ends at 4 GiB', () => {
  // 8,192 dimensions: the query, 32 KiB of slots and scores, and 131,070 rows fill 4 GiB; pages not touched cost none.
  const rows = WasmRows.open({ dimensions: 8192 });
  rows?.reserve(131_070);
  const row = new Float32Array(8192);
  for (const [place, slot] of [0, 70_000, 131_069].entries()) rows?.write(slot, row.fill(place + 1));
  rows?.ask(row.fill(0.5));
  expect(rows?.gather(Uint32Array.of(131_069, 0, 70_000))).toEqual(Float32Array.of(3 * 4096, 4096, 2 * 4096));
  expect(rows?.scan(131_068, 2)).toEqual(Float32Array.of(0, 3 * 4096));
  expect(() => rows?.reserve(131_071)).toThrow(expect.objectContaining({ code: 'VECTOR_INDEX_UNAVAILABLE' }));
});
