import { decodedBy, inParts } from './in-parts.js';

/** Encodings that a byte order mark announces, with the bytes of the mark. */
const MARKED: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The text of a file that was decoded. */
export interface DecodedText {
  readonly text: string;
  /** Whether the bytes are UTF-8; otherwise they were in another encoding. */
  readonly isUtf8: boolean;
}

/**
 * Decodes the bytes of a text file in UTF-8, or in UTF-16 with a byte order mark, a part at a time; undefined if they
 * are neither. Throws an Error with the reason if they only begin like UTF-16.
 */
export async function decodeUnicode(bytes: Uint8Array): Promise<DecodedText | undefined> {
  const marked = MARKED.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte));
  if (marked) return { text: await decodeUtf16(bytes, marked[0]), isUtf8: false };
  // Parts are decoded on their own, not with `stream`: ASCII takes a sixth of the time.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return { text: await inParts(bytes, (part) => decoder.decode(part)), isUtf8: true };
  } catch {
    return undefined;
  }
}

async function decodeUtf16(bytes: Uint8Array, encoding: string): Promise<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    const text = await decodedBy(decoder, bytes);
    // The byte order mark of UTF-32 begins with that of UTF-16.
    if (!text.startsWith('\0')) return text;
  } catch (cause) {
    throw new Error('it is damaged UTF-16: save it as UTF-8', { cause });
  }
  throw new Error('it is UTF-32: save it as UTF-8');
}
