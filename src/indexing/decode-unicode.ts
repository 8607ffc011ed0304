/** Encodings of which a byte order mark speaks, and how such a file begins. */
const MARKED: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes the bytes of a text file in UTF-8, or in UTF-16 with a byte order mark; undefined if they are neither. Throws
 * an Error with the reason if they only begin like UTF-16.
 */
export function decodeUnicode(bytes: Uint8Array): string | undefined {
  const marked = MARKED.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte));
  if (marked) return decodeUtf16(bytes, marked[0]);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: string): string {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // The byte order mark of UTF-32 begins with that of UTF-16.
    if (!text.startsWith('\0')) return text;
  } catch (cause) {
    throw new Error('it is damaged UTF-16: save it as UTF-8', { cause });
  }
  throw new Error('it is UTF-32: save it as UTF-8');
}
