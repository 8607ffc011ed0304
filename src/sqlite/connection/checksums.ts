import { WaymarkError } from '../../domain/errors.js';
import { crc32 } from './crc32.js';

/** A value of a row that has a checksum. */
export type Cell = string | number | null;

/** The checksum of a vector's bytes and the hash of its row, so that swapped vectors are detected too. */
export function embeddingChecksum(hash: string, vector: Uint8Array): number {
  return crc32(vector, crc32(hash));
}

/** The checksum of the values of a row. */
export function rowChecksum(values: readonly Cell[]): number {
  return crc32(JSON.stringify(values));
}

/** The error for a part of the database that is not as it was written. */
export function damagedPart(part: string, options: { readonly cause?: unknown } = {}): WaymarkError {
  const message = `${part} is damaged in the database: repair it with: waymark doctor --repair`;
  return new WaymarkError('DATABASE_DAMAGED', message, options);
}
