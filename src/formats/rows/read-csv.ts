import type { VisibleSink } from '../visible-text.js';
import type { Row, Rows } from './rows.js';

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
  const rows: Row[] = [];
  let row = start;
  let shown = 0;
  for (let at = start; at < source.length; ) {
    const cell = cellAt(source, at, ending);
    if (cell.values.length > 0) {
      if (shown > 0) sink.separate(' | ');
      for (const { start, end } of cell.values) sink.show(start, end);
      shown++;
    }
    at = cell.end;
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
  return { rows, hasHeader: true, subtype: 'table', warnings: [] };
}

/** A value: its ranges without quotes and without white space around it; none if it is empty. */
interface Cell {
  readonly values: readonly Row[];
  /** The offset of the delimiter or line end after it. */
  readonly end: number;
}

function cellAt(source: string, start: number, ending: RegExp): Cell {
  ending.lastIndex = start;
  const plainEnd = ending.exec(source)?.index ?? source.length;
  const open = start + (/^[ ]*/.exec(source.slice(start, Math.min(plainEnd, start + 100)))?.[0].length ?? 0);
  if (source[open] !== '"') return { values: shownParts(source, [{ start, end: plainEnd }]), end: plainEnd };
  const parts: Row[] = [];
  for (let from = open + 1; ; ) {
    const quote = source.indexOf('"', from);
    // A quote that is never closed is a character like others: else the rest of the file would be one value.
    if (quote < 0) return { values: shownParts(source, [{ start, end: plainEnd }]), end: plainEnd };
    if (source[quote + 1] === '"') {
      parts.push({ start: from, end: quote + 1 });
      from = quote + 2;
      continue;
    }
    parts.push({ start: from, end: quote });
    ending.lastIndex = quote + 1;
    const end = ending.exec(source)?.index ?? source.length;
    // Nothing should follow the closing quote; what does is read nevertheless.
    if (source.slice(quote + 1, end).trim() !== '') parts.push({ start: quote + 1, end });
    return { values: shownParts(source, parts), end };
  }
}

function shownParts(source: string, parts: readonly Row[]): Row[] {
  const seen = parts.filter(({ start, end }) => start < end);
  const [first, last] = [seen[0], seen.at(-1)];
  if (!first || !last) return [];
  const before = /^\s*/.exec(source.slice(first.start, first.end))?.[0].length ?? 0;
  seen[0] = { start: first.start + before, end: first.end };
  const end = last.start + source.slice(last.start, last.end).trimEnd().length;
  seen[seen.length - 1] = { start: (seen.at(-1) as Row).start, end };
  return seen.filter((range) => range.start < range.end);
}
