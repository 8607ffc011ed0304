import { createHash } from 'node:crypto';

/** A version 8 UUID from the SHA-256 of some parts: the same parts give the same UUID, everywhere and always. */
export function stableUuid(parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  const last = hex.slice(20, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${last}`;
}
