/** Bytes that are kept of a message: those of its ids, its method and its version. */
const KEPT = 4096;

const [QUOTE, BACKSLASH] = Buffer.from('"\\');
// Arrays: `includes` of a buffer takes many times as long, and is called for each byte.
const OPENING = [...Buffer.from('{[')];
const CLOSING = [...Buffer.from('}]')];
const NULL = [...Buffer.from('null')];

/**
 * The members of a JSON object that is too long to be kept, with null for lists and objects: a client waits for an
 * answer with the id of its request, which may be at the end.
 */
export class Outline {
  #kept: number[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Reads the next bytes. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) this.#read(byte);
  }

  /** The value that was read; undefined if it is no JSON, or if what is kept of it is too long. */
  value(): unknown {
    try {
      return this.#kept.length > KEPT ? undefined : JSON.parse(Buffer.from(this.#kept).toString());
    } catch {
      return undefined;
    }
  }

  #read(byte: number): void {
    if (this.#isInString) {
      this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInString = false;
    } else if (OPENING.includes(byte)) {
      if (this.#depth === 1) for (const each of NULL) this.#keep(each);
      if (this.#depth++ === 0) this.#keep(byte);
    } else if (CLOSING.includes(byte)) {
      if (--this.#depth === 0) this.#keep(byte);
    } else {
      this.#keep(byte);
      this.#isInString = byte === QUOTE;
    }
  }

  #keep(byte: number): void {
    if (this.#depth <= 1 && this.#kept.length <= KEPT) this.#kept.push(byte);
  }
}
