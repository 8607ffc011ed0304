/** The most characters in which a mark without an end mark is looked for. */
export const SHORT = 500;

const DESTINATION = /\](?:\(|:[ \t]+)<?(?:[^\s(){}]|\{\{[^{}\r\n]*\}\})*$/;
/** The most characters that are read before an offset. */
const FAR = 2_000;
const BLANK_LINE = /(?:^|\r\n|\r(?!\n)|\n)[ \t>]*(?:\r\n?|\n)/g;
const BLANK_TO_END = /^[ \t]*(?:[\r\n]|$)/;

/** The length of the blanks and quote markers that a line begins with. */
export function prefixLength(line: string): number {
  return /^[ \t>]*/.exec(line)?.[0].length ?? 0;
}

/** Whether only blanks and quote markers precede an offset on its line. */
export function startsLine(source: string, at: number): boolean {
  return /(?:^|[\n\r])[ \t>]*$/.test(source.slice(Math.max(0, at - SHORT), at));
}

/** Tags before a heading on its line, as in `<div align="center"><h1>`; not those of cells, images and code. */
const AROUND_HEADING =
  /(^|[\n\r])([ \t>]*)(?:<\/?(?:a|center|details|div|p|section|span|summary)(?=[\s>])[^<>\r\n]*>[ \t]*)*$/i;

/**
 * Where a heading between tags starts: at the first of the tags before it on its line. -1 if anything else precedes it
 * there.
 */
export function startOfHeading(source: string, at: number): number {
  const from = Math.max(0, at - SHORT);
  const found = AROUND_HEADING.exec(source.slice(from, at));
  if (!found) return -1;
  const [, lineEnd = '', blanks = ''] = found;
  // Not the beginning of what was read, which may be within a line.
  return lineEnd === '' && from > 0 ? -1 : from + found.index + lineEnd.length + blanks.length;
}

/**
 * Where the lines directly above an offset start: after the nearest blank line, or at `first` if there is none between;
 * -1 if that is too far away.
 */
export function afterBlankLine(source: string, at: number, first: number): number {
  const from = Math.max(first, at - FAR);
  let start = from === first ? first : -1;
  for (const { index, 0: line } of source.slice(from, at).matchAll(BLANK_LINE)) start = from + index + line.length;
  return start;
}

/** Whether only blanks follow an offset on its line. */
export function endsLine(source: string, at: number): boolean {
  return BLANK_TO_END.test(source.slice(at, at + SHORT));
}

/** Whether an offset is in the destination of a link or a definition. */
export function isInDestination(source: string, at: number): boolean {
  return DESTINATION.test(source.slice(Math.max(0, at - SHORT), at));
}
