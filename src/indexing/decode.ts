import chardet from 'chardet';

/** Encodings of which a byte order mark speaks, and how such a file begins. */
const MARKED: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** How Windows-1252 is detected: its text without the characters that it has beyond ISO-8859-1 is that. */
const WINDOWS_1252 = new Set(['windows-1252', 'ISO-8859-1']);

/** The least confidence of the detector, and the least lead over its second guess; both in percent. */
const CONFIDENCE = 50;
const LEAD = 30;

/** Bytes around the first one that is not ASCII, from which the encoding is detected. */
const SAMPLE = 1 << 16;

/**
 * What Windows-1252 has from 0x80 to 0x9f, where ISO-8859-1 has control characters; a blank is not defined. This is not
 * left to `TextDecoder`: that of some versions of Node.js reads these bytes as ISO-8859-1.
 */
const FROM_80 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** A character that text does not have: a control character that is no white space. */
const NO_TEXT = /(?![\t-\r])\p{Cc}/u;

/** A sign or a capital amid small letters: a letter of another encoding, such as that of MS-DOS or old Macs. */
const MISREAD = /\p{Ll}(?:\p{Lu}|[^\p{ASCII}\p{L}\s\u00ad·–—’…])\p{Ll}/u;

/**
 * Decodes the bytes of a text file: UTF-8, UTF-16 with a byte order mark, or Windows-1252 (and so ISO-8859-1) if it is
 * surely that. Throws an Error with the reason.
 */
export function decode(bytes: Uint8Array): string {
  const marked = MARKED.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte));
  if (marked) return decodeUtf16(bytes, marked[0]);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const text = decodeWindows1252(bytes);
    if (text !== undefined) return text;
    throw new Error('it is not UTF-8: save it as UTF-8', { cause });
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

function decodeWindows1252(bytes: Uint8Array): string | undefined {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const from = Math.max(0, first - SAMPLE / 2);
  const [best, second] = chardet.analyse(bytes.subarray(from, from + SAMPLE)).filter(isApart);
  if (!best || !WINDOWS_1252.has(best.name)) return undefined;
  if (best.confidence < CONFIDENCE || best.confidence - (second?.confidence ?? 0) < LEAD) return undefined;
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (byte) => (FROM_80[byte.charCodeAt(0) - 0x80] ?? ' ').replace(' ', byte));
  return NO_TEXT.test(text) || MISREAD.test(text) ? undefined : text;
}

/** One guess for each encoding: a detector may name the two that we read alike. */
function isApart({ name }: { readonly name: string }, i: number, all: readonly { readonly name: string }[]): boolean {
  return !WINDOWS_1252.has(name) || all.findIndex((other) => WINDOWS_1252.has(other.name)) === i;
}
