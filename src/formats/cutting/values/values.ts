import type { Range } from '../../range.js';
import type { Cells } from './cells.js';
import { type Label, labelOf, type Naming } from './labels.js';

/** A value in a row that is too long for a passage. */
export interface Value {
  readonly start: number;
  /** Where the first value of the row ends. */
  readonly titleEnd: number;
  /** The row that it is in: no other row shares a passage with it. */
  readonly row: Cells;
  /** What names the row, for a passage that begins after `titleEnd`. */
  readonly title: Label | undefined;
  readonly names: Label | undefined;
  readonly above: Label | undefined;
  /** Whether the value begins with its name. */
  readonly hasName: boolean;
}

/** What is known of a unit that may be a value, or a part of one. */
interface ValuePart {
  readonly start: number;
  readonly value?: Value | undefined;
}

/** What a passage with a unit is embedded with for the unit, which follows `previous` unless the passage begins. */
export function labelsOf({ start, value }: ValuePart, previous?: ValuePart): { title?: Label; name?: Label } {
  if (!value || previous?.value === value || (previous && value.hasName)) return {};
  const name = value.hasName && start === value.start ? value.above : value.names;
  const title = !previous && start >= value.titleEnd ? value.title : undefined;
  return { ...(title && { title }), ...(name && { name }) };
}

/** Values of a row that are cut as one, and the tokens to be left for what names them. */
interface Named extends Range {
  readonly value: Value;
  readonly naming: number;
}

/**
 * The values of a row that is too long, each with what names it. Short neighbours that need no names of their own are
 * one value: a row may have a million of them.
 */
export function* valuesOf(row: Cells, context: Naming): Generator<Named> {
  let last: Named | undefined;
  for (const named of namedValuesOf(row, context)) {
    const isJoined = last && haveSameNames(last, named) && named.end - last.start <= context.limit / 2;
    if (last && !isJoined) yield last;
    last = last && isJoined ? { ...last, end: named.end } : named;
  }
  if (last) yield last;
}

function haveSameNames({ value: a }: Named, { value: b }: Named): boolean {
  return !a.names && !b.names && a.above === b.above && a.hasName === b.hasName;
}

function* namedValuesOf(row: Cells, context: Naming): Generator<Named> {
  const title = labelOf(row.title, context);
  const titleEnd = row.cells[0]?.end ?? 0;
  for (const { start, end, names: own, above: others } of row.cells) {
    // A value that begins with its name needs it again only for parts of it, and a short one is never cut.
    const isNeverCut = others !== undefined && end - start <= context.limit / 2;
    const names = isNeverCut ? undefined : labelOf(own, context);
    const above = others && labelOf(others, context);
    const naming = (title?.cost ?? 0) + (names?.cost ?? 0) + 1;
    const value = { start, titleEnd, row, title, names, above, hasName: others !== undefined };
    yield { start, end, naming, value };
  }
}
