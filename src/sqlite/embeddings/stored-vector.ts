import { createHash } from 'node:crypto';
import { damagedPart, embeddingChecksum } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';

/** The vector of a passage as it is stored. */
export interface StoredVector {
  /** The passage's number. */
  readonly passage: number;
  readonly hash: string;
  readonly vector: Buffer;
  readonly checksum: number | null;
}

/** The key of an embedding: SHA-256 of the model's fingerprint and the embedded text. */
export function embeddingHash(fingerprint: string, text: string): string {
  return createHash('sha256').update(fingerprint).update('\0').update(text).digest('hex');
}

/** Decodes the vector of a passage. Throws `DATABASE_DAMAGED` if it is not as it was written. */
export function decodeVector(connection: Connection, { passage, ...stored }: StoredVector): Float32Array {
  return vectorOf(stored, () => {
    const place = connection
      .prepare<[number], { key: string; position: number }>(
        `SELECT key, position FROM passages JOIN files ON files.number = file WHERE passages.number = ?`,
      )
      .get(passage);
    return `The embedding of passage ${place?.position} of ${place?.key}`;
  });
}

/** Decodes a vector. Throws `DATABASE_DAMAGED`, with its `name`, if it is not as it was written. */
export function vectorOf({ hash, vector, checksum }: Omit<StoredVector, 'passage'>, name: () => string): Float32Array {
  if (checksum === null || checksum === embeddingChecksum(hash, vector)) return float32(vector);
  throw damagedPart(name());
}

/** Copies only if the bytes are not aligned to four. The trailing odd bytes of a truncated vector are dropped. */
function float32(bytes: Buffer): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}
