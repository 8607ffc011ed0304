import type { Range } from '../../range.js';

/** A value in a row. */
export interface Cell extends Range {
  /** Its column, or the members that it is in, outermost first. */
  readonly names: readonly Range[];
  /**
   * The same without its own name, where the cell begins with that. A passage that begins with the cell is then
   * embedded with these; one that begins inside of it, with `names`; others, with neither.
   */
  readonly above?: readonly Range[];
}

/** The values of a row. */
export interface Cells {
  readonly cells: readonly Cell[];
  /** What names the row: its first value, after the name of that. */
  readonly title: readonly Range[];
}
