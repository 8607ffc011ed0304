import type { Breadcrumb, Subtype } from '../../domain/passage.js';
import type { Gathering } from '../cutting/gathering.js';
import { byteOrderMarks, Lines } from '../cutting/lines.js';
import { passagesOf } from '../cutting/passages.js';
import type { Block, Section } from '../cutting/section.js';
import { STRETCH } from '../cutting/stretches.js';
import type { Cell, Cells } from '../cutting/values/cells.js';
import type { ParsedFile, ParseOptions } from '../parser.js';
import type { Range } from '../range.js';
import { ReadableRanges } from '../readable-ranges.js';
import type { VisibleSink } from '../visible-text.js';

/** The rows of a text, read from an offset on. */
export interface Rows {
  /** Without their line ends. */
  readonly rows: readonly Range[];
  /** Whether the first row names what the others have. */
  readonly hasHeader: boolean;
  readonly subtype: Subtype;
  readonly warnings: readonly string[];
  /** The values of a row; undefined if it has none. */
  readonly cellsOf: (row: Range) => Cells | undefined;
}

/** Reads a text: its rows, and what a reader sees of them. */
export type ReadRows = (source: string, sink: VisibleSink, start: number) => Rows;

/** Passages of a text that consists of rows: as many whole rows as fit, each group of them under the header. */
export function parseRows(text: string, { read, ...options }: ParseOptions & { readonly read: ReadRows }): ParsedFile {
  const ranges = new ReadableRanges(text);
  const { rows, hasHeader, subtype, warnings: own, cellsOf } = read(text, ranges, byteOrderMarks(text));
  const title = options.fallbackTitle;
  const header = hasHeader && rows.length > 1 ? rows[0] : undefined;
  const sections = stretches(rows, { breadcrumb: title ? [title] : [], header, subtype, cellsOf });
  const frame = header && framing(text, { rows, header, cellsOf });
  const { readable } = ranges;
  const gathering = { ...options, source: text, lines: new Lines(text), readable, ...(frame && { frame }) };
  const { passages, warnings } = passagesOf(sections, gathering);
  return { title, tags: {}, metadata: {}, passages, warnings: [...own, ...warnings] };
}

function stretches(
  rows: readonly Range[],
  {
    breadcrumb,
    header,
    subtype,
    cellsOf,
  }: { breadcrumb: Breadcrumb; header?: Range | undefined } & Pick<Block, 'subtype' | 'cellsOf'>,
): Section[] {
  const sections: Section[] = [];
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const { start } = rows[from] as Range;
    for (to = from + 1; to < rows.length && (rows[to] as Range).end - start <= STRETCH; ) to++;
    const cuts = rows.slice(from + 1, to).map((row) => row.start);
    // The cut after the header is its end, as for any block.
    const end = (rows[to - 1] as Range).end;
    const named = header && { start: header.start, end: rows[1]?.start ?? header.end };
    sections.push({ breadcrumb, blocks: [{ start, end, subtype, cuts, header: named, cellsOf }] });
  }
  return sections;
}

/** The longest header that is repeated. */
const LONGEST_HEADER = 1_000;

/** The header, for a passage after it. A part of a row has its own columns only. */
function framing(
  text: string,
  { rows, header, cellsOf }: Pick<Rows, 'rows' | 'cellsOf'> & { readonly header: Range },
): NonNullable<Gathering['frame']> {
  // A row may have hundreds of thousands of values, and thousands of passages, one after the other.
  let last: { readonly row: Range; readonly cells: readonly Cell[] } | undefined;
  return (start, end) => {
    if (start < header.end) return {};
    const row = rows[firstAfter(rows, start) - 1] as Range;
    let columns: readonly Range[] = [header];
    const isPart = end <= row.end && (start > row.start || text.slice(end, row.end).trim() !== '');
    if (isPart) {
      if (last?.row !== row) last = { row, cells: cellsOf(row)?.cells ?? [] };
      const { cells } = last;
      const own: Range[] = [];
      for (let i = Math.max(0, firstAfter(cells, start) - 1); (cells[i]?.start ?? end) < end; i++) {
        own.push(...(cells[i] as Cell).names);
      }
      columns = own;
    }
    const [from, to] = [columns[0]?.start ?? 0, columns.at(-1)?.end ?? 0];
    return from < to && to - from <= LONGEST_HEADER ? { opening: `${text.slice(from, to)}\n` } : {};
  };
}

/** The index of the first range that starts after an offset. */
function firstAfter(ranges: readonly Range[], offset: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as Range).start > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
