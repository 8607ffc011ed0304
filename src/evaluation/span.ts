/** Lines of a file, from 1, both inclusive: what answers a query, or a passage that was found. */
export interface Lines {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** What answers a query: any one of the spans, or all of them together. */
export interface Answer {
  readonly spans: readonly Lines[];
  readonly wanted: 'any' | 'all';
}

/** Number of lines that two have in common. */
export function sharedLines(a: Lines, b: Lines): number {
  if (a.file !== b.file) return 0;
  return Math.max(0, Math.min(a.endLine, b.endLine) - Math.max(a.startLine, b.startLine) + 1);
}

export function lengthOf({ startLine, endLine }: Lines): number {
  return endLine - startLine + 1;
}

/** How right the spans were found, from how right each was: the best for `any`, the mean for `all`; 0 where there is none. */
export function combine({ spans, wanted }: Answer, found: (span: Lines) => number): number {
  if (spans.length === 0) return 0;
  const values = spans.map(found);
  return wanted === 'any' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0) / values.length;
}
