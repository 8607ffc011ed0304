/** Tells the line of an offset: lines end with LF, CRLF or a lone CR, as in markdown. */
export class Lines {
  /** Offset of each line's first code unit. */
  readonly starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (const { index, 0: ending } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + ending.length);
    this.starts = starts;
  }

  /** Line of an offset, from 1. */
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

  /** Offset at which the line of an offset starts. */
  startOf(offset: number): number {
    return this.starts[this.lineOf(offset) - 1] ?? 0;
  }

  /** Offsets in (start, end) at which a line starts. */
  startsWithin(start: number, end: number): number[] {
    const found: number[] = [];
    for (let line = this.lineOf(start); (this.starts[line] ?? end) < end; line++) found.push(this.starts[line] ?? end);
    return found;
  }
}
