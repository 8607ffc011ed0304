import type { Range } from './range.js';

/** What a reader sees of a source, with the place of each character in it. */
export interface VisibleText {
  /** A line feed ends a block: a paragraph, an item, a row of a table, a line of code. */
  readonly text: string;
  /** The UTF-16 offset in the source of each code unit of the text; -1 for what only separates blocks and cells. */
  readonly starts: readonly number[];
  /** The offset after each code unit: a character reference, such as `&amp;`, is one character. */
  readonly ends: readonly number[];
  /** The ranges of the text that are code, whose punctuation ends no sentence. Ascending. */
  readonly code: readonly Range[];
}

/** What a reader sees of a part of a file, such as a passage; undefined if the text is too intricate to tell. */
export type See = (source: string) => VisibleText | undefined;

/** A part of a file, such as a passage, without what no reader sees; undefined if the text is too intricate to tell. */
export type Show = (source: string) => string | undefined;

/** Receives what a reader sees of a source, in order. */
export interface VisibleSink {
  /** Shows [start, end) of the source unchanged. */
  show(start: number, end: number): void;
  /** Shows [start, end) of the source as a text. */
  showAs(text: string, range: Range): void;
  /** Adds a text between blocks or cells, which is not in the source, at `place`, or else after what was shown last. */
  separate(text: string, place?: number): void;
  /** What is added from now on is code. */
  beginCode(): void;
  /** Ends the code that has begun, if any has. */
  endCode(): void;
}

/** Collects what a reader sees of a source, with the place of each character. */
export class VisibleTextBuilder implements VisibleText, VisibleSink {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly code: Range[] = [];
  readonly #source: string;
  readonly #parts: string[] = [];
  #codeStart: number | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  get text(): string {
    return this.#parts.join('');
  }

  show(start: number, end: number): void {
    this.#parts.push(this.#source.slice(start, end));
    for (let at = start; at < end; at++) {
      this.starts.push(at);
      this.ends.push(at + 1);
    }
  }

  showAs(text: string, { start, end }: Range): void {
    this.#parts.push(text);
    for (let i = 0; i < text.length; i++) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  separate(text: string): void {
    this.#parts.push(text);
    for (let i = 0; i < text.length; i++) {
      this.starts.push(-1);
      this.ends.push(-1);
    }
  }

  beginCode(): void {
    this.#codeStart ??= this.starts.length;
  }

  endCode(): void {
    if (this.#codeStart !== undefined) this.code.push({ start: this.#codeStart, end: this.starts.length });
    this.#codeStart = undefined;
  }

  /** Marks what `show` adds as code. */
  asCode(show: () => void): void {
    this.beginCode();
    show();
    this.endCode();
  }
}
