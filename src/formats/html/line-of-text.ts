import type { Range } from '../range.js';
import type { VisibleSink } from '../visible-text.js';

/** Before which, and after which, a reader sees the edge of a box as a blank: not at a comma or inside a bracket. */
const BEGINS_TEXT = /^[\p{L}\p{N}\p{S}\p{Ps}\p{Pi}]/u;
const ENDS_TEXT = /[^\s\p{Ps}\p{Pi}]$/u;

/** Separates the words, cells and lines of an HTML text on their way to a sink. */
export class LineOfText {
  readonly #sink: VisibleSink;
  #isStart = true;
  /** White space that is shown as a blank if text follows on its line; it is empty at the edge of a box. */
  #blank: Range | undefined;
  /** The text that was added last to the line or, in a row, to the cell. */
  #last = '';

  constructor(sink: VisibleSink) {
    this.#sink = sink;
  }

  /** Whether no text has been added to the line. */
  get isStart(): boolean {
    return this.#isStart;
  }

  /** White space, which is one blank whatever its length, and none before the first text. */
  space(range: Range): void {
    if (this.#last === '') return;
    // The edge of a box is shown only between two words, white space after it always.
    if (!this.#blank || isEmpty(this.#blank)) this.#blank = range;
  }

  /** The edge of a box, such as an image: it is between the words beside it, as a blank is. */
  edge(at: number): void {
    this.#blank ??= { start: at, end: at };
  }

  /** White space that is shown as it is. */
  keepSpace(): void {
    this.#blank = undefined;
  }

  /** Shows what separates a text from the one before it on its line, and returns it: a blank or nothing. */
  add(text: string): ' ' | '' {
    const isBlank = this.#showBlank(text);
    this.#blank = undefined;
    this.#last = text;
    this.#isStart = false;
    return isBlank ? ' ' : '';
  }

  /** Separates two cells of a row. */
  endCell(): void {
    this.#blank = undefined;
    if (!this.#isStart) this.#sink.separate(' | ');
    this.#last = '';
  }

  /** Ends the line, if it has text. */
  end(): void {
    this.#blank = undefined;
    if (!this.#isStart) this.#sink.separate('\n');
    this.#last = '';
    this.#isStart = true;
  }

  #showBlank(text: string): boolean {
    if (!this.#blank) return false;
    if (!isEmpty(this.#blank)) this.#sink.showAs(' ', this.#blank);
    else if (ENDS_TEXT.test(this.#last) && BEGINS_TEXT.test(text)) this.#sink.separate(' ', this.#blank.start);
    else return false;
    return true;
  }
}

function isEmpty({ start, end }: Range): boolean {
  return start === end;
}
