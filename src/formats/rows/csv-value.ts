import type { Range } from '../range.js';

/** A value: its ranges without quotes and without white space around it; none if it is empty. */
export interface CsvValue {
  readonly ranges: readonly Range[];
  /** The offset of the delimiter or line end after it. */
  readonly end: number;
}

/** The value that begins at an offset; `ending` finds a delimiter or line end. */
export function valueAt(source: string, start: number, ending: RegExp): CsvValue {
  ending.lastIndex = start;
  const plainEnd = ending.exec(source)?.index ?? source.length;
  const open = start + (/^[ ]*/.exec(source.slice(start, Math.min(plainEnd, start + 100)))?.[0].length ?? 0);
  if (source[open] !== '"') return { ranges: shownParts(source, [{ start, end: plainEnd }]), end: plainEnd };
  const parts: Range[] = [];
  for (let from = open + 1; ; ) {
    const quote = source.indexOf('"', from);
    // A quote that is never closed is a character like others: else the rest of the file would be one value.
    if (quote < 0) return { ranges: shownParts(source, [{ start, end: plainEnd }]), end: plainEnd };
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
    return { ranges: shownParts(source, parts), end };
  }
}

function shownParts(source: string, parts: readonly Range[]): Range[] {
  const seen = parts.filter(({ start, end }) => start < end);
  const [first, last] = [seen[0], seen.at(-1)];
  if (!first || !last) return [];
  const before = /^\s*/.exec(source.slice(first.start, first.end))?.[0].length ?? 0;
  seen[0] = { start: first.start + before, end: first.end };
  const end = last.start + source.slice(last.start, last.end).trimEnd().length;
  seen[seen.length - 1] = { start: (seen.at(-1) as Range).start, end };
  return seen.filter((range) => range.start < range.end);
}
