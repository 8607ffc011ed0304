const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Maps offsets to lines. A line ends with LF, CRLF or a lone CR, as in markdown. */
export class Lines {
  /** Offset of each line's first code unit. */
  readonly starts: Uint32Array;

  constructor(text: string) {
    // A file may consist of line ends only. A typed array takes four bytes for each, outside the heap and its limit.
    let starts = new Uint32Array(1024);
    let lines = 1;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code !== LINE_FEED && (code !== CARRIAGE_RETURN || text.charCodeAt(i + 1) === LINE_FEED)) continue;
      if (lines === starts.length) {
        const longer = new Uint32Array(lines * 2);
        longer.set(starts);
        starts = longer;
      }
      starts[lines++] = i + 1;
    }
    this.starts = starts.subarray(0, lines);
  }

  /** The line that an offset is on, from 1. */
  lineOf(offset: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** The offset at which the line of an offset starts. */
  startOf(offset: number): number {
    return this.starts[this.lineOf(offset) - 1] ?? 0;
  }

  /** The offsets strictly between `start` and `end` at which a line starts. */
  startsWithin(start: number, end: number): number[] {
    const found: number[] = [];
    for (let line = this.lineOf(start); (this.starts[line] ?? end) < end; line++) found.push(this.starts[line] ?? end);
    return found;
  }
}

/** A text with all lines ended by a line feed, so that a file with CRLF is embedded like one without. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Blanks at the ends of lines. A run is matched from its first only: from each, it would take quadratic time. */
const TRAILING = /(?<![ \t])[ \t]+$/gm;

/** A text without blank lines and without blanks at the ends of lines. Each line but the last ends with a line feed. */
export function withoutBlankLines(text: string): string {
  return withLineFeeds(text)
    .replace(TRAILING, '')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

/** Characters of [start, end), the same for CRLF as for LF. */
export function characters(source: string, { start, end }: { readonly start: number; readonly end: number }): number {
  return withLineFeeds(source.slice(start, end)).length;
}

/** The number of byte order marks at the start of a text: parsers skip one, and concatenated files have several. */
export function byteOrderMarks(text: string): number {
  return /^\uFEFF*/.exec(text)?.[0].length ?? 0;
}
