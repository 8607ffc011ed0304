import type { ByteRange } from '../../storage/contents.js';
import { replacedContent } from '../../storage/failures.js';
import { damagedPart } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { isPartIntact, partAt, partSizes } from './text-parts.js';

/** The text of a file in UTF-8. */
export interface TextBytes {
  /** The hash of the file. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /**
   * Reads it, a part at a time. Defaults to all of it. Throws `DATABASE_DAMAGED`, and `FILE_MISSING` if the file
   * changes meanwhile, unless its text has only one part.
   */
  parts(range?: ByteRange): Generator<Uint8Array>;
}

/** The text of a file as it is now; undefined if it has none. Call it in a transaction. Throws `DATABASE_DAMAGED`. */
export function textBytes(connection: Connection, file: number): TextBytes | undefined {
  const row = connection
    .cached<[number], { key: string; hash: string }>(`SELECT key, hash FROM files WHERE number = ?`)
    .get(file);
  const sizes = partSizes(connection, file);
  if (!row || sizes.length === 0) return undefined;
  const { key, hash } = row;
  const read = (start: number): Buffer => {
    const part = partAt(connection, file, start);
    if (part?.start === start && isPartIntact(part, hash)) return Buffer.from(part.text);
    const now = connection.cached<[number], string>(`SELECT hash FROM files WHERE number = ?`).pluck().get(file);
    throw now === hash ? damagedPart(`The text of ${key}`) : replacedContent(key);
  };
  // Read now, so that a small text is complete even if its file changes before it is read.
  const first = read(0);
  const size = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    hash,
    size,
    *parts({ start, end } = { start: 0, end: size }) {
      let to = 0;
      for (const part of sizes) {
        const from = to;
        to += part.bytes;
        if (to <= start || from >= end) continue;
        const bytes = from === 0 ? first : read(part.start);
        yield bytes.subarray(Math.max(0, start - from), end - from);
      }
    },
  };
}
