/** A range of the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value in a row. */
export interface Cell extends Span {
  /** Its column, or the members that it is in, outermost first. */
  readonly names: readonly Span[];
  /**
   * The same without its own name, where the cell begins with that. A passage that begins with the cell is then
   * embedded with these; one that begins inside of it, with `names`; others, with neither.
   */
  readonly above?: readonly Span[];
}

/** The values of a row. */
export interface Cells {
  readonly cells: readonly Cell[];
  /** What names the row: its first value, after the name of that. */
  readonly title: readonly Span[];
}
