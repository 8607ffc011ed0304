import { endOfCharacters } from './utf8-check.js';

/**
 * A text in parts of at most `size` UTF-16 code units, at least one. None ends within a surrogate pair: each can be
 * written in UTF-8 without the others.
 */
export function* textParts(text: string, size: number): Generator<string> {
  let start = 0;
  do {
    const end = start + size;
    const part = text.slice(start, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end);
    yield part;
    start += part.length;
  } while (start < text.length);
}

/** Bytes in parts of at most `size`, at least one. In UTF-8 none ends within a character. */
export function* utf8Parts(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  let start = 0;
  do {
    const part = bytes.subarray(start, start + size);
    const end = start + size < bytes.length ? endOfCharacters(part) : part.length;
    yield part.subarray(0, end);
    start += end;
  } while (start < bytes.length);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
