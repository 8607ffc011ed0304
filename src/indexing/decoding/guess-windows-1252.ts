import chardet from 'chardet';
import { fromWindows1252 } from './windows-1252.js';

/** The detector's names for Windows-1252: a text with none of the bytes 0x80 to 0x9f is reported as ISO-8859-1. */
const WINDOWS_1252 = new Set(['windows-1252', 'ISO-8859-1']);

/** Minimum confidence of the detector, and its minimum lead over the second guess; both in percent. */
const MIN_CONFIDENCE = 50;
const MIN_LEAD = 30;

/** Bytes around the first one that is not ASCII, from which the encoding is detected. */
const SAMPLE = 1 << 16;

/** Bytes decoded at a time: V8 ends the process if one replacement has some 30 million matches. */
const PART = 1 << 16;

/** A character that no text contains: a control character that is not white space. */
const NO_TEXT = /(?![\t-\r])\p{Cc}/u;

/** A sign or a capital between small letters: a misread letter of another encoding, such as that of MS-DOS. */
const MISREAD_LETTER = /\p{Ll}(?:\p{Lu}|[^\p{ASCII}\p{L}\s\u00ad·–—’…])\p{Ll}/u;

/** The euro sign and the beginnings of `œuvre` and `œil` in ISO-8859-15, which the detector does not know. */
const LATIN_9 = /¤|(?<!\p{N})[¼½](?:u|il)/u;

/**
 * Decodes the bytes of a text file in Windows-1252, which includes ISO-8859-1. Throws an Error with the reason unless
 * the encoding is certain. Runs in a parse process, as extractors do, since it takes too long for the event loop.
 */
export default async function guessWindows1252(bytes: Uint8Array): Promise<string> {
  // Only UTF-16 and UTF-32 have null bytes in their letters.
  if (bytes.includes(0)) {
    throw new Error('it is binary, or UTF-16 without a byte order mark: save it as UTF-8 if it is text');
  }
  const text = textOf(bytes);
  if (text === undefined) throw new Error('it is not UTF-8: save it as UTF-8');
  return text;
}

function textOf(bytes: Uint8Array): string | undefined {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const from = Math.max(0, first - SAMPLE / 2);
  const [best, second] = chardet.analyse(bytes.subarray(from, from + SAMPLE)).filter(isFirstOfEncoding);
  if (!best || !WINDOWS_1252.has(best.name)) return undefined;
  if (best.confidence < MIN_CONFIDENCE || best.confidence - (second?.confidence ?? 0) < MIN_LEAD) return undefined;
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += PART) {
    parts.push(fromWindows1252(bytes.subarray(start, start + PART)));
  }
  const text = parts.join('');
  return [NO_TEXT, MISREAD_LETTER, LATIN_9].some((sign) => sign.test(text)) ? undefined : text;
}

/** Keeps one guess for each encoding: the detector may return both names of Windows-1252. */
function isFirstOfEncoding(
  { name }: { readonly name: string },
  i: number,
  all: readonly { readonly name: string }[],
): boolean {
  return !WINDOWS_1252.has(name) || all.findIndex((other) => WINDOWS_1252.has(other.name)) === i;
}
