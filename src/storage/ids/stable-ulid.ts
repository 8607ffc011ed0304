import { createHash } from 'node:crypto';

/** The digits of a ULID: Crockford's base 32. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID from the SHA-256 of some parts, without a time: the same parts give the same ULID, everywhere and always. */
export function stableUlid(parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  const value = BigInt(`0x${hex}`);
  return Array.from({ length: 26 }, (_, i) => DIGITS.charAt(Number((value >> BigInt(5 * (25 - i))) & 31n))).join('');
}
