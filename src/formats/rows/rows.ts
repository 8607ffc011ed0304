import type { Breadcrumb, Subtype } from '../../domain/passage.js';
import { byteOrderMarks, Lines } from '../cutting/lines.js';
import { passagesOf } from '../cutting/passages.js';
import type { Section } from '../cutting/section.js';
import { STRETCH } from '../cutting/stretches.js';
import type { ParsedFile, ParseOptions } from '../parser.js';
import { ReadableRanges } from '../readable-ranges.js';
import type { VisibleSink } from '../visible-text.js';

/** A row of a file, without its line end. */
export interface Row {
  readonly start: number;
  readonly end: number;
}

/** The rows of a text, read from an offset on. */
export interface Rows {
  readonly rows: readonly Row[];
  /** Whether the first row names what the others have. */
  readonly hasHeader: boolean;
  readonly subtype: Subtype;
  readonly warnings: readonly string[];
}

/** Reads a text: its rows, and what a reader sees of them. */
export type ReadRows = (source: string, sink: VisibleSink, start: number) => Rows;

/** Passages of a text that consists of rows: as many whole rows as fit, each group of them under the header. */
export function parseRows(text: string, { read, ...options }: ParseOptions & { readonly read: ReadRows }): ParsedFile {
  const ranges = new ReadableRanges(text);
  const { rows, hasHeader, subtype, warnings: own } = read(text, ranges, byteOrderMarks(text));
  const title = options.otherwiseTitled;
  const header = hasHeader && rows.length > 1 ? rows[0] : undefined;
  const sections = stretches(rows, { breadcrumb: title ? [title] : [], header, subtype });
  const frame = (start: number, end: number) => openingOf({ start, end }, header && { ...header, text });
  const { readable } = ranges;
  const gathering = { ...options, source: text, lines: new Lines(text), readable, frame };
  const { passages, warnings } = passagesOf(sections, gathering);
  return { title, tags: {}, metadata: {}, passages, warnings: [...own, ...warnings] };
}

function stretches(
  rows: readonly Row[],
  { breadcrumb, header, subtype }: { breadcrumb: Breadcrumb; header: Row | undefined; subtype: Subtype },
): Section[] {
  const sections: Section[] = [];
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const { start } = rows[from] as Row;
    for (to = from + 1; to < rows.length && (rows[to] as Row).end - start <= STRETCH; ) to++;
    const cuts = rows.slice(from + 1, to).map((row) => row.start);
    // The cut after the header is its end, as for any block.
    const end = (rows[to - 1] as Row).end;
    const named = header && { start: header.start, end: rows[1]?.start ?? header.end };
    sections.push({ breadcrumb, blocks: [{ start, end, subtype, cuts, header: named }] });
  }
  return sections;
}

/** The longest header that is repeated. */
const LONGEST_HEADER = 1_000;

/** The header, for a passage after it. */
function openingOf({ start }: Row, header: (Row & { readonly text: string }) | undefined): { opening?: string } {
  if (!header || start < header.end || header.end - header.start > LONGEST_HEADER) return {};
  return { opening: `${header.text.slice(header.start, header.end)}\n` };
}
