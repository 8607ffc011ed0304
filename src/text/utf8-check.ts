import { isUtf8 } from 'node:buffer';

const NOTHING = new Uint8Array();

/** Checks whether bytes are UTF-8 that arrive in parts, which may end within a character. */
export class Utf8Check {
  #isValid = true;
  /** The beginning of a character whose end has not arrived. */
  #begun: Uint8Array = NOTHING;

  add(part: Uint8Array): void {
    if (!this.#isValid) return;
    const bytes = this.#begun.length === 0 ? part : Buffer.concat([this.#begun, part]);
    const end = endOfCharacters(bytes);
    this.#isValid = isUtf8(bytes.subarray(0, end));
    this.#begun = bytes.slice(end);
  }

  /** Whether everything that was added is UTF-8. */
  get isUtf8(): boolean {
    return this.#isValid && this.#begun.length === 0;
  }
}

/** The number of bytes up to the end of the last complete character, if the bytes are UTF-8. */
export function endOfCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back] as number;
    // Bytes of 10xxxxxx continue a character.
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? length - back : length;
  }
  return length;
}
