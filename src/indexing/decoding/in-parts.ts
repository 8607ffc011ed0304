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
