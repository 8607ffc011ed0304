import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { FoundPassage, Highlight } from '../../index.js';
import { colors } from './colors.js';
import { contentRows } from './content-rows.js';
import { describeExplanation } from './explanation.js';
import { printable, printableText } from './printable.js';

export interface PassageOptions {
  readonly highlight: Highlight | undefined;
  /** The absolute path of the file; missing if it comes from no folder. */
  readonly place: string | null | undefined;
  /** Maximum rows of content. */
  readonly rows: number;
}

/** A passage for a terminal: file and lines, score, breadcrumb, content. */
export function showPassage(
  { content, score, meta, file }: FoundPassage,
  { highlight, place, rows }: PassageOptions,
): string {
  const { type, subtype, startLine, endLine, breadcrumb = [], explanation } = meta;
  // A consolidated passage has its headings in its content.
  const headings = type === 'consolidated' ? '' : printable(breadcrumb.join(' > '));
  const lines = startLine === endLine ? startLine : `${startLine}-${endLine}`;
  const path = printable(`${pathOf(file.key, place)}:${lines}`);
  return [
    `${colors.bold(colors.cyan(path))}  ${colors.dim(score.toFixed(2))}`,
    ...(headings ? [colors.dim(headings)] : []),
    ...(explanation ? describeExplanation(explanation).map((line) => colors.dim(printable(line))) : []),
    ...contentRows(printableText(content), { highlight, limit: rows, isProse: subtype !== 'code' }),
  ].join('\n');
}

/** The path to the file from the working folder, so that an editor can open it; the key if the file is gone. */
function pathOf(key: string, place: string | null | undefined): string {
  return place && existsSync(place) ? relative(process.cwd(), place) : key;
}
