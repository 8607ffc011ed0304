import type { Cell, Cells } from '../cutting/values/cells.js';
import type { Range } from '../range.js';
import type { VisibleSink } from '../visible-text.js';
import { valueAt } from './csv-value.js';
import type { Rows } from './rows.js';

const DELIMITERS = [',', ';', '\t', '|'];

/** The most characters in which the delimiter is looked for. */
const SAMPLE = 10_000;

/**
 * Reads values separated by commas, as RFC 4180 has them, or by the delimiter that the first line has most often. A
 * quoted value may have line ends. Blank lines are no rows.
 */
export function readCsv(source: string, sink: VisibleSink, start = 0): Rows {
  return readSeparated(source, sink, { start, delimiter: delimiterOf(source.slice(start, start + SAMPLE)) });
}

/** Reads values separated by tabs. */
export function readTsv(source: string, sink: VisibleSink, start = 0): Rows {
  return readSeparated(source, sink, { start, delimiter: '\t' });
}

function delimiterOf(text: string): string {
  const [line = ''] = /^.*/.exec(text.replace(/"[^"]*"/g, '""').trimStart()) ?? [];
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function readSeparated(
  source: string,
  sink: VisibleSink,
  { start, delimiter }: { readonly start: number; readonly delimiter: string },
): Rows {
  const ending = new RegExp(`[\\r\\n${delimiter}]`, 'g');
  const rows: Range[] = [];
  let row = start;
  let shown = 0;
  for (let at = start; at < source.length; ) {
    const value = valueAt(source, at, ending);
    if (value.ranges.length > 0) {
      if (shown > 0) sink.separate(' | ', at - 1);
      for (const { start, end } of value.ranges) sink.show(start, end);
      shown++;
    }
    at = value.end;
    if (source[at] === delimiter) {
      at++;
      continue;
    }
    if (shown > 0) {
      rows.push({ start: row, end: at });
      sink.separate('\n');
    }
    shown = 0;
    at += source.startsWith('\r\n', at) ? 2 : 1;
    row = at;
  }
  // A delimiter at the end of the text ends a row, too.
  if (shown > 0) rows.push({ start: row, end: source.length });
  const [header, second] = rows;
  const valuesOf = (row: Range) => valuesIn(source, row, { delimiter, ending });
  const columns = header && second ? valuesOf(header) : [];
  const cellsOf = (row: Range) => cellsIn(valuesOf(row), row.start === header?.start ? [] : columns);
  return { rows, hasHeader: true, subtype: 'table', warnings: [], cellsOf };
}

/** The values of a row, also empty ones. */
function valuesIn(
  source: string,
  { start, end }: Range,
  { delimiter, ending }: { readonly delimiter: string; readonly ending: RegExp },
): (Range & { readonly isEmpty: boolean })[] {
  const found: (Range & { readonly isEmpty: boolean })[] = [];
  for (let at = start; at < end; at++) {
    const value = valueAt(source, at, ending);
    found.push({ start: at, end: value.end, isEmpty: value.ranges.length === 0 });
    at = value.end;
    if (source[at] !== delimiter) break;
  }
  return found;
}

function cellsIn(values: ReturnType<typeof valuesIn>, columns: readonly Range[]): Cells {
  const cells: Cell[] = [];
  for (const [i, { start, end, isEmpty }] of values.entries()) {
    const column = columns[i];
    if (!isEmpty) cells.push({ start, end, names: column ? [column] : [] });
  }
  const [first] = cells;
  return { cells, title: first && columns.length > 0 ? [...first.names, first] : [] };
}
