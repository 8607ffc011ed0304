import { Transform, type TransformCallback } from 'node:stream';
import { Outline } from './outline.js';
import { idOf, type Refusal, refusalOf, refuse } from './refusal.js';
import { ErrorCode } from './sdk.js';

/** Bytes of a message; a query is a few hundred. */
export const MAX_MESSAGE = 256 * 1024;

const LINE_END = 10;

/** The messages of an input, one per line. A valid line passes; for any other, `answer` is called with its refusal. */
export class Messages extends Transform {
  readonly #answer: (refusal: Refusal) => void;
  #parts: Uint8Array[] = [];
  #size = 0;
  #tooLong: Outline | undefined;

  constructor(answer: (refusal: Refusal) => void) {
    // So that the reader gets one message at a time.
    super({ readableObjectMode: true });
    this.#answer = answer;
  }

  override _transform(part: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = part.indexOf(LINE_END); end >= 0; end = part.indexOf(LINE_END, start)) {
      this.#add(part.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#add(part.subarray(start));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#endLine();
    done();
  }

  #add(part: Uint8Array): void {
    this.#size += part.length;
    this.#parts.push(part);
    if (this.#size <= MAX_MESSAGE) return;
    // A longer message is refused, and not kept.
    this.#tooLong ??= new Outline();
    for (const each of this.#parts) this.#tooLong.add(each);
    this.#parts = [];
  }

  #endLine(): void {
    // Programs on Windows may begin their output with a byte order mark.
    const line = Buffer.concat(this.#parts)
      .toString()
      .replace(/^\uFEFF/, '');
    const refusal = this.#tooLong ? refusalOfLong(this.#tooLong.value()) : refusalOfLine(line);
    this.#parts = [];
    this.#size = 0;
    this.#tooLong = undefined;
    if (refusal) this.#answer(refusal);
    else if (line.trim() !== '') this.push(Buffer.from(`${line}\n`));
  }
}

function refusalOfLong(outline: unknown): Refusal {
  // An answer has the id of the other side's request.
  const id = 'method' in Object(outline) ? idOf(outline) : null;
  return refuse(id, ErrorCode.InvalidRequest, `A message must have at most ${MAX_MESSAGE / 1024} KB: send less.`);
}

function refusalOfLine(line: string): Refusal | undefined {
  if (line.trim() === '') return undefined;
  try {
    return refusalOf(JSON.parse(line));
  } catch {
    return refuse(null, ErrorCode.ParseError, 'The message is not JSON: send one JSON object a line.');
  }
}
