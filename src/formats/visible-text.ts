/** What a reader sees of a source, with the place of each character in it. */
export interface VisibleText {
  /** A line feed ends a block: a paragraph, an item, a row of a table, a line of code. */
  readonly text: string;
  /** The UTF-16 offset in the source of each code unit of the text; -1 for what only parts blocks and cells. */
  readonly starts: readonly number[];
  /** The offset after each code unit: a character reference, such as `&amp;`, is one character. */
  readonly ends: readonly number[];
  /** The ranges of the text that are code, whose punctuation ends no sentence. Ascending. */
  readonly code: readonly { readonly start: number; readonly end: number }[];
}

/** What a reader sees of a part of a file, such as a passage; undefined if the text is too intricate to tell. */
export type See = (source: string) => VisibleText | undefined;

/** A part of a file, such as a passage, without what no reader sees; undefined if the text is too intricate to tell. */
export type Show = (source: string) => string | undefined;

/** Receives what a reader sees of a source, in order. */
export interface VisibleSink {
  /** Shows [start, end) of the source as it stands. */
  show(start: number, end: number): void;
  /** Shows [start, end) of the source as a text. */
  showAs(text: string, range: { readonly start: number; readonly end: number }): void;
  /** Adds a text that stands nowhere in the source. */
  part(text: string): void;
  /** What is added from now on is code. */
  beginCode(): void;
  /** Ends the code that has begun, if any has. */
  endCode(): void;
}

/** Collects what a reader sees of a source, with the place of each character. */
export class VisibleTextBuilder implements VisibleText, VisibleSink {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly code: { readonly start: number; readonly end: number }[] = [];
  readonly #source: string;
  readonly #parts: string[] = [];
  /** The end of the source: what comes after it was added to it. */
  readonly #limit: number;
  #codeStart: number | undefined;

  constructor(source: string, limit = source.length) {
    this.#source = source;
    this.#limit = limit;
  }

  get text(): string {
    return this.#parts.join('');
  }

  show(start: number, end: number): void {
    const to = Math.min(end, this.#limit);
    if (to <= start) return;
    this.#parts.push(this.#source.slice(start, to));
    for (let at = start; at < to; at++) {
      this.starts.push(at);
      this.ends.push(at + 1);
    }
  }

  showAs(text: string, { start, end }: { readonly start: number; readonly end: number }): void {
    if (end > this.#limit) return;
    this.#parts.push(text);
    for (let i = 0; i < text.length; i++) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  part(text: string): void {
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
