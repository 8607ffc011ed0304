import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crc32, crc32ByTable } from '#src/sqlite/connection/crc32.js';

it('is 0xcbf43926 for "123456789", the check value of the standard', () => {
  expect([crc32('123456789'), crc32ByTable('123456789')]).toEqual([0xcbf43926, 0xcbf43926]);
});

it("is the same with and without Node's own, whole or in parts", () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array(), (text, bytes) => {
      const parts = crc32ByTable(bytes, crc32ByTable(text));
      expect([crc32(bytes, crc32(text)), crc32(Buffer.concat([Buffer.from(text), bytes]))]).toEqual([parts, parts]);
    }),
  );
});
