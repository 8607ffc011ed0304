import { textParts, utf8Parts } from '../../text/parts.js';

/** Code units or bytes of a part: as a message, about a millisecond of the event loop. */
const PART = 1 << 20;

/** A text or bytes in parts, of which each is sent in a message; one part if it is empty. */
export function partsOf(whole: string): string[];
export function partsOf(whole: string | Uint8Array): (string | Uint8Array)[];
export function partsOf(whole: string | Uint8Array): (string | Uint8Array)[] {
  return [...(typeof whole === 'string' ? textParts(whole, PART) : utf8Parts(whole, PART))];
}

/** What the parts were made of. */
export function joined(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts as Uint8Array[]);
}
