/** What may come before a block on its line: the marks of quotes, of a list item and of a footnote. */
export const BEFORE = '(?:[ \\t>]|[-*+][ \\t]|\\d{1,9}[.)][ \\t]|\\[\\^[^\\]\\s]+\\]:)*';

/** What opens a fence after that. */
export const MARK = '(?:`{3,}(?=[^`]*$)|~{3,})';

const OPENING = new RegExp(`^(${BEFORE})(${MARK})`);

const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;

/** A fence that is open. */
export interface Fence {
  readonly mark: string;
  readonly isQuoted: boolean;
  /** The columns that a line of its list item is indented by. */
  readonly indent: number;
}

/** Follows fenced code from line to line. Lines in quotes and lists count, whatever they are indented by. */
export class Fences {
  #open: Fence | undefined;
  #info = '';
  #isOpening = false;

  /** What follows the mark of the fence that was opened last: the language. */
  get info(): string {
    return this.#info;
  }

  /** Whether the code goes on after the line that was taken last. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether the line that was taken last opens a fence. */
  get isOpening(): boolean {
    return this.#isOpening;
  }

  /** Whether a line is inside the fence that is open, or closes it. */
  isInside(line: string): boolean {
    return this.#open !== undefined && (closes(line, this.#open) || !isOutside(line, this.#open));
  }

  /** Whether a line is inside a fence or is one. Give it the lines one after the other. */
  take(line: string): boolean {
    this.#isOpening = false;
    if (this.#open && closes(line, this.#open)) {
      this.#open = undefined;
      return true;
    }
    if (this.#open && isOutside(line, this.#open)) this.#open = undefined;
    if (this.#open) return true;
    if (!line.includes('```') && !line.includes('~~~')) return false;
    const [, prefix = '', mark] = OPENING.exec(line) ?? [];
    if (mark === undefined) return false;
    this.#open = fenceOf(prefix, mark);
    this.#info = line.slice(prefix.length + mark.length);
    this.#isOpening = true;
    return true;
  }
}

/** The columns that a line of a footnote is indented by, however long the mark is. */
const FOOTNOTE_INDENT = 4;

/** A fence after the marks of the quotes, the list item and the footnote that it is in. */
export function fenceOf(prefix: string, mark: string): Fence {
  // What is indented by four columns is in an item of a list, and the code is seldom indented less.
  const indented = prefix.length >= 4 ? prefix.length - 1 : 0;
  const marked = prefix.includes('[^') ? FOOTNOTE_INDENT : columnsOf(prefix);
  return { mark, isQuoted: prefix.includes('>'), indent: /[^ \t>]/.test(prefix) ? marked : indented };
}

function closes(line: string, { mark }: Fence): boolean {
  return closingMark(line)?.startsWith(mark) ?? false;
}

/** The mark of a line that may close a fence; undefined for any other line. */
export function closingMark(line: string): string | undefined {
  return CLOSING.exec(line)?.[1];
}

/** Whether a line ends the quote or the list item that a fence is in, and so the fence. */
export function isOutside(line: string, { isQuoted, indent }: Fence): boolean {
  if (isQuoted) return !/^[ \t]*>/.test(line);
  const [blanks = ''] = /^[ \t]*/.exec(line) ?? [];
  return blanks.length < line.length && columnsOf(blanks) < indent;
}

/** Columns, with a tab stop at every fourth. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += character === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}
