/** The most characters in which a mark without an end mark is looked for. */
export const SHORT = 500;

const DESTINATION = /\](?:\(|:[ \t]+)<?(?:[^\s(){}]|\{\{[^{}\r\n]*\}\})*$/;
const BLANK_TO_END = /^[ \t]*(?:[\r\n]|$)/;

/** The length of the blanks and quote markers that a line begins with. */
export function prefixLength(line: string): number {
  return /^[ \t>]*/.exec(line)?.[0].length ?? 0;
}

/** Whether only blanks and quote markers precede an offset on its line. */
export function startsLine(source: string, at: number): boolean {
  return /(?:^|[\n\r])[ \t>]*$/.test(source.slice(Math.max(0, at - SHORT), at));
}

/** Whether only blanks follow an offset on its line. */
export function endsLine(source: string, at: number): boolean {
  return BLANK_TO_END.test(source.slice(at, at + SHORT));
}

/** Whether an offset is in the destination of a link or a definition. */
export function isInDestination(source: string, at: number): boolean {
  return DESTINATION.test(source.slice(Math.max(0, at - SHORT), at));
}
