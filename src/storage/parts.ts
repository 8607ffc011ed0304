import type { ByteSource } from './contents.js';

/** Bytes of a part of a content. */
export const PART = 256 << 10;

/** The same bytes in parts of `PART` bytes; the last one may be shorter. */
export async function* partsOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of source) {
    for (let start = 0; start < bytes.length; ) {
      const piece = bytes.subarray(start, start + PART - size);
      pieces.push(piece);
      size += piece.length;
      start += piece.length;
      if (size < PART) continue;
      yield Buffer.concat(pieces);
      pieces = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(pieces);
}
