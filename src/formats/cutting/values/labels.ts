import type { Range } from '../../range.js';

/** A text that is embedded before a passage. */
export interface Label {
  readonly text: string;
  /** Tokens. */
  readonly cost: number;
}

/** What labels are computed from. */
export interface Naming {
  /** Tokens of a passage. */
  readonly limit: number;
  readonly cost: (start: number, end: number) => number;
  readonly readable: (start: number, end: number) => string;
  /** The labels of the names that were read: all rows of a table share those of its columns. */
  readonly labels: Map<Range, Label>;
}

/** What some names are embedded as; undefined if there are none, or if they are long. */
export function labelOf(names: readonly Range[], { limit, cost, readable, labels }: Naming): Label | undefined {
  let label: Label | undefined;
  for (const name of names) {
    let one = labels.get(name);
    if (!one) {
      // Two for what is between two names.
      one = { text: readable(name.start, name.end), cost: cost(name.start, name.end) + 2 };
      labels.set(name, one);
    }
    label = label ? { text: `${label.text}: ${one.text}`, cost: label.cost + one.cost } : one;
  }
  return label && label.text !== '' && label.cost <= limit / 4 ? label : undefined;
}

/** The header of rows; undefined if there is none, or if it is long. */
export function shortHeader(
  { header, cellsOf }: { readonly header?: Range | undefined; readonly cellsOf?: unknown },
  { limit, cost, readable }: Omit<Naming, 'labels'>,
): Label | undefined {
  if (!header) return undefined;
  const tokens = cost(header.start, header.end);
  // Values that are named one by one would repeat the header in each row, so a longer one is repeated, too.
  const isShort = tokens <= limit / (cellsOf ? 2 : 4);
  return isShort ? { text: readable(header.start, header.end), cost: tokens } : undefined;
}
