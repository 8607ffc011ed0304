import type { Highlight } from '../../../index.js';
import { printable, printableText } from '../printable.js';
import { colors } from '../terminal.js';
import { contentRows } from './content-rows.js';
import { describeExplanation } from './explanation.js';
import { headingsOf, placeOf, type Result } from './result.js';
import { columnsOfText, wrap } from './wrap.js';

export interface PassageOptions {
  /** The content as a reader sees it. */
  readonly content: string;
  /** The sentence of the content that matches best. */
  readonly highlight: Highlight | undefined;
  /** Maximum rows of content. */
  readonly rows: number;
}

/** A passage for a terminal: file and lines, score, breadcrumb, content. */
export function showPassage(result: Result, { content, highlight, rows }: PassageOptions): string {
  const { subtype, explanation } = result.meta;
  const headings = printable(headingsOf(result));
  const score = `${result.score.toFixed(2)}${result.stale ? '  changed since' : ''}`;
  return [
    `${colors.bold(colors.cyan(printable(placeOf(result))))}  ${colors.dim(score)}`,
    ...(headings
      ? wrap(headings, columnsOfText()).map(({ start, end }) => colors.dim(headings.slice(start, end)))
      : []),
    ...(explanation ? describeExplanation(explanation).map((line) => colors.dim(printable(line))) : []),
    ...contentRows(printableText(content), { highlight, limit: rows, isProse: subtype !== 'code' }),
  ].join('\n');
}
