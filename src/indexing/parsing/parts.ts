/** Code units or bytes of a part: as a message, about a millisecond of the event loop. */
const PART = 1 << 20;

/** A text or bytes in parts, of which each is sent in a message; one part if it is empty. */
export function partsOf<T extends string | Uint8Array>(whole: T): T[] {
  const parts: T[] = [];
  for (let start = 0; start === 0 || start < whole.length; start += PART) {
    parts.push(whole.slice(start, start + PART) as T);
  }
  return parts;
}

/** What the parts were made of. */
export function joined(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts as Uint8Array[]);
}
