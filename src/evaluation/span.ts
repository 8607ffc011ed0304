/** Lines of a file, counted from 1, both ends inclusive. */
export interface Lines {
  readonly file: string;
  /** The first line, from 1. */
  readonly startLine: number;
  /** The last line, inclusive. */
  readonly endLine: number;
}

/** The spans that answer a query: any one of them, or all together. */
export interface Answer {
  /** The lines that answer the question. */
  readonly spans: readonly Lines[];
  /** Whether any one of the spans answers the question, or only all of them together. */
  readonly wanted: 'any' | 'all';
}

/** Number of lines that both have; 0 if they are in different files. */
export function sharedLines(a: Lines, b: Lines): number {
  if (a.file !== b.file) return 0;
  return Math.max(0, Math.min(a.endLine, b.endLine) - Math.max(a.startLine, b.startLine) + 1);
}

/** Number of lines, at least 1. */
export function lineCount({ startLine, endLine }: Lines): number {
  return endLine - startLine + 1;
}

/** Combines a value per span: the greatest for `any`, the mean for `all`, 0 without spans. */
export function combineSpans({ spans, wanted }: Answer, measure: (span: Lines) => number): number {
  if (spans.length === 0) return 0;
  const values = spans.map(measure);
  return wanted === 'any' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0) / values.length;
}
