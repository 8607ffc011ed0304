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
