import { inTurns } from '../../domain/scheduling/in-turns.js';
import { utf8Parts } from '../../text/parts.js';

/** Bytes decoded in one turn of the event loop: at most a few milliseconds. */
const PART = 1 << 18;

/** The text of bytes that are decoded a part at a time. No part ends within a character of UTF-8. */
export async function inParts(bytes: Uint8Array, decode: (part: Uint8Array) => string): Promise<string> {
  const texts: string[] = [];
  for await (const part of inTurns(utf8Parts(bytes, PART))) texts.push(decode(part));
  return texts.join('');
}

/** The text of bytes in the encoding of a decoder, also where a part ends within a character. Throws what it throws. */
export async function decodedBy(decoder: TextDecoder, bytes: Uint8Array): Promise<string> {
  const text = await inParts(bytes, (part) => decoder.decode(part, { stream: true }));
  // Throws if the last character is incomplete.
  return text + decoder.decode();
}
