import { Transform, type TransformCallback } from 'node:stream';
import { type Refusal, refusalOf, refuse } from './refusal.js';
import { ErrorCode } from './sdk.js';

/** Bytes of a message; a query is a few hundred. */
export const MAX_MESSAGE = 256 * 1024;

const LINE_END = 10;

/** The messages of an input, one per line. A valid line passes; for any other, `answer` is called with its refusal. */
export class Messages extends Transform {
  readonly #answer: (refusal: Refusal) => void;
  #parts: Uint8Array[] = [];
  #size = 0;

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
    // A longer message is refused: its bytes are counted, but not kept.
    if (this.#size > MAX_MESSAGE) this.#parts = [];
    else this.#parts.push(part);
  }

  #endLine(): void {
    const line = Buffer.concat(this.#parts).toString();
    const refusal = this.#size > MAX_MESSAGE ? tooLong() : refusalOfLine(line);
    this.#parts = [];
    this.#size = 0;
    if (refusal) this.#answer(refusal);
    else if (line.trim() !== '') this.push(Buffer.from(`${line}\n`));
  }
}

function tooLong(): Refusal {
  return refuse(null, ErrorCode.InvalidRequest, `A message must have at most ${MAX_MESSAGE / 1024} KB: send less.`);
}

function refusalOfLine(line: string): Refusal | undefined {
  if (line.trim() === '') return undefined;
  try {
    return refusalOf(JSON.parse(line));
  } catch {
    return refuse(null, ErrorCode.ParseError, 'The message is not JSON: send one JSON object a line.');
  }
}
