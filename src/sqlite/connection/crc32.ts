import zlib from 'node:zlib';

type Crc32 = (data: string | Uint8Array, value?: number) => number;

/**
 * CRC-32 (IEEE 802.3) of bytes, or of a string as UTF-8; `value` is the CRC of the preceding bytes. Node has its own
 * since 20.15 and 22.2.
 */
export const crc32: Crc32 = (zlib as { readonly crc32?: Crc32 }).crc32 ?? crc32ByTable;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  return remainder;
});

/** The same for Node 20.11 to 20.14, one byte at a time. */
export function crc32ByTable(data: string | Uint8Array, value = 0): number {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  let remainder = ~value;
  for (let i = 0; i < bytes.length; i++) {
    remainder = (TABLE[(remainder ^ (bytes[i] as number)) & 0xff] as number) ^ (remainder >>> 8);
  }
  return ~remainder >>> 0;
}
