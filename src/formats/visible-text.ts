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

/** Collects what a reader sees of a source, in order. */
export class VisibleTextBuilder implements VisibleText {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly code: { readonly start: number; readonly end: number }[] = [];
  readonly #source: string;
  readonly #parts: string[] = [];
  /** The end of the source: what comes after it was added to it. */
  readonly #limit: number;

  constructor(source: string, limit = source.length) {
    this.#source = source;
    this.#limit = limit;
  }

  get text(): string {
    return this.#parts.join('');
  }

  /** Shows [start, end) of the source as it stands. */
  show(start: number, end: number): void {
    const to = Math.min(end, this.#limit);
    if (to <= start) return;
    this.#parts.push(this.#source.slice(start, to));
    for (let at = start; at < to; at++) {
      this.starts.push(at);
      this.ends.push(at + 1);
    }
  }

  /** Shows [start, end) of the source as a text. */
  showAs(text: string, { start, end }: { readonly start: number; readonly end: number }): void {
    if (end > this.#limit) return;
    this.#parts.push(text);
    for (let i = 0; i < text.length; i++) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  /** Adds a text that stands nowhere in the source. */
  part(text: string): void {
    this.#parts.push(text);
    for (let i = 0; i < text.length; i++) {
      this.starts.push(-1);
      this.ends.push(-1);
    }
  }

  /** Marks what `show` adds as code. */
  asCode(show: () => void): void {
    const start = this.starts.length;
    show();
    this.code.push({ start, end: this.starts.length });
  }
}
