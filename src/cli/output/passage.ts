import { existsSync } from 'node:fs';
import path from 'node:path';
import type { EngineStatus, FoundPassage, Highlight } from '../../index.js';
import { absoluteFolder } from '../database-path.js';
import { colors } from './colors.js';
import { contentRows } from './content-rows.js';
import { describeExplanation } from './explanation.js';
import { printable, printableText } from './printable.js';

export interface PassageOptions {
  readonly highlight: Highlight | undefined;
  readonly status: EngineStatus;
  /** Maximum rows of content. */
  readonly rows: number;
}

/** A passage for a terminal: file and lines, score, breadcrumb, content. */
export function showPassage(
  { content, score, meta, file }: FoundPassage,
  { highlight, status, rows }: PassageOptions,
): string {
  const { type, subtype, startLine, endLine, breadcrumb = [], explanation } = meta;
  // A consolidated passage has its headings in its content.
  const headings = type === 'consolidated' ? '' : printable(breadcrumb.join(' > '));
  const lines = startLine === endLine ? startLine : `${startLine}-${endLine}`;
  const place = printable(`${pathOf(file.key, status)}:${lines}`);
  return [
    `${colors.bold(colors.cyan(place))}  ${colors.dim(score.toFixed(2))}`,
    ...(headings ? [colors.dim(headings)] : []),
    ...(explanation ? describeExplanation(explanation).map((line) => colors.dim(printable(line))) : []),
    ...contentRows(printableText(content), { highlight, limit: rows, isProse: subtype !== 'code' }),
  ].join('\n');
}

/** The path to the file from the working folder, so that an editor can open it; the key if the file is gone. */
function pathOf(key: string, { folders, database }: EngineStatus): string {
  for (const { folder } of folders) {
    if (folder === null) continue;
    const file = path.join(absoluteFolder(folder, database), key);
    if (existsSync(file)) return path.relative(process.cwd(), file);
  }
  return key;
}
