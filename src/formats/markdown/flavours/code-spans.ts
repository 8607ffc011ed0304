const BLANK_LINE = /\n[ \t>]*\r?\n/g;

/** Where code spans end. Ask for ascending positions. */
export class CodeSpans {
  readonly #source: string;
  /** Offsets of the runs of backticks, by their length. */
  readonly #runs = new Map<number, number[]>();
  /** How many runs of each length follow. */
  readonly #passed = new Map<number, number>();
  #blankLine = -1;

  constructor(source: string) {
    this.#source = source;
    for (const { index, 0: run } of source.matchAll(/`+/g)) {
      const same = this.#runs.get(run.length);
      if (same) same.push(index);
      else this.#runs.set(run.length, [index]);
    }
  }

  /** The end of the code span whose first backtick is at an offset, or of the backticks alone if they open none. */
  end(start: number): number {
    const length = /^`+/.exec(this.#source.slice(start, start + 1000))?.[0].length ?? 1;
    const runs = this.#runs.get(length) ?? [];
    let next = this.#passed.get(length) ?? 0;
    while ((runs[next] ?? Number.POSITIVE_INFINITY) <= start) next++;
    this.#passed.set(length, next);
    const closer = runs[next];
    if (closer === undefined || closer > this.#nextBlankLine(start)) return start + length;
    return closer + length;
  }

  #nextBlankLine(from: number): number {
    if (this.#blankLine < from) {
      BLANK_LINE.lastIndex = from;
      this.#blankLine = BLANK_LINE.exec(this.#source)?.index ?? Number.POSITIVE_INFINITY;
    }
    return this.#blankLine;
  }
}
