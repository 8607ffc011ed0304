import { HIDDEN } from '../../hidden.js';

/**
 * Changes to a text that keep every offset, in ascending order. A change that begins inside the previous one is
 * ignored.
 */
export class Edits {
  readonly #source: string;
  readonly #parts: string[] = [];
  #reached = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Hides what comes after the last change in [start, end). */
  hide(start: number, end: number): void {
    this.replace(Math.max(start, this.#reached), end, '');
  }

  /** Writes a text over [start, end) and hides what is left of it; line ends stay. The text must fit. */
  replace(start: number, end: number, text: string): void {
    if (end <= start) return;
    const rest = this.#source.slice(start + text.length, end).replace(/[^\r\n]/g, HIDDEN);
    this.#push(start, end, text + rest);
  }

  /** Writes a text over [start, end), line ends included, with blanks for what is left of it. The text must fit. */
  overwrite(start: number, end: number, text: string): void {
    this.#push(start, end, text.padEnd(end - start));
  }

  /** The changed text. A line of hidden marks alone is blank, so that it separates the blocks around it. */
  result(): string {
    if (this.#reached === 0) return this.#source;
    const text = this.#parts.join('') + this.#source.slice(this.#reached);
    return text.replace(HIDDEN_LINE, (line) => line.replaceAll(HIDDEN, ' '));
  }

  #push(start: number, end: number, text: string): void {
    if (start < this.#reached) return;
    this.#parts.push(this.#source.slice(this.#reached, start), text);
    this.#reached = end;
  }
}

/** The line above, if it is the marker of a list item alone: the item ends if the next line is blank, too. */
const BARE_MARKER = '^[ \\t>]*(?:[-*+]|\\d{1,9}[.)])[ \\t]*(?:\\r\\n?|\\n)';

/** A line of hidden marks, with or without the markers of the quotes that it is in. */
const HIDDEN_LINE = new RegExp(`^(?<!${BARE_MARKER})[ \\t>]*${HIDDEN}[${HIDDEN} \\t]*$`, 'gm');
