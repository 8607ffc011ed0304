import { existsSync } from 'node:fs';
import path from 'node:path';
import picocolors from 'picocolors';
import type { EngineStatus, FoundPassage } from '../index.js';
import { explained } from './explain.js';
import { wrap } from './wrap.js';

/** Colour only on a terminal that has it, and where NO_COLOR does not forbid it. */
const colors = picocolors.createColors(process.stdout.isTTY === true && process.stdout.hasColors());

/** Columns of a row: longer ones are hard to read, and so are shorter ones. */
const WIDEST = 100;
const NARROWEST = 40;

/** In front of each row of a passage, and of those that hold the sentence that matches best. */
const MARGIN = '    ';
const MARK = '  > ';

export interface ShowOptions {
  /** The sentence that matches best, in UTF-16 offsets of the content. */
  readonly highlight: { readonly start: number; readonly end: number } | undefined;
  readonly status: EngineStatus;
  /** Rows of the content that are shown at most, around the highlight. */
  readonly rows: number;
}

/** A found passage for a person: file and lines, score, breadcrumb, text. */
export function show({ content, score, meta, file }: FoundPassage, { highlight, status, rows }: ShowOptions): string {
  const { type, startLine, endLine, breadcrumb = [], explanation } = meta;
  // What is consolidated has its headings in its text.
  const crumbs = type === 'consolidated' ? '' : printable(breadcrumb.join(' > '));
  const lines = startLine === endLine ? startLine : `${startLine}-${endLine}`;
  const place = printable(`${pathOf(file.key, status)}:${lines}`);
  return [
    `${colors.bold(colors.cyan(place))}  ${colors.dim(score.toFixed(2))}`,
    ...(crumbs ? [colors.dim(crumbs)] : []),
    ...(explanation ? explained(explanation).map((line) => colors.dim(printable(line))) : []),
    ...rowsOf(printable(content), { highlight, most: rows }),
  ].join('\n');
}

/** The file's path from here where it is still there, for an editor to open; otherwise its key. */
function pathOf(key: string, { folders, database }: EngineStatus): string {
  for (const { folder } of folders) {
    if (folder === null) continue;
    const file = path.resolve(path.dirname(database), folder, key);
    if (existsSync(file)) return path.relative(process.cwd(), file);
  }
  return key;
}

/** Without characters that would steer the terminal; of the same length. */
function printable(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd');
}

function rowsOf(content: string, { highlight, most }: { highlight: ShowOptions['highlight']; most: number }): string[] {
  // A terminal that does not know its width says 0.
  const columns = process.stdout.columns || WIDEST;
  const width = Math.max(NARROWEST, Math.min(columns, WIDEST)) - MARGIN.length;
  const rows: { text: string; marked: boolean }[] = [];
  for (const { 0: line, index } of content.matchAll(/[^\r\n]+|(?<=\n)(?=\r?\n)/g)) {
    const [blank = ''] = line.match(/^\s*/) ?? [];
    const indent = blank.replaceAll('\t', '  ').slice(0, width / 2);
    const text = line.slice(blank.length).replaceAll('\t', ' ');
    for (const { start, end } of wrap(text, width - indent.length)) {
      const row = text.slice(start, end);
      const at = index + blank.length + start;
      const from = Math.max(0, (highlight?.start ?? content.length) - at);
      const to = Math.min(row.length, (highlight?.end ?? 0) - at);
      const marked = from < to;
      const shown = marked ? row.slice(0, from) + colors.bold(row.slice(from, to)) + row.slice(to) : row;
      rows.push({ text: `${marked ? colors.green(MARK) : MARGIN}${indent}${shown}`.trimEnd(), marked });
    }
  }
  return around(rows, most);
}

/** As many rows as are wanted around the first marked one, without blank rows at their ends. */
function around(rows: readonly { text: string; marked: boolean }[], most: number): string[] {
  const first = rows.findIndex(({ marked }) => marked);
  const from = Math.max(0, Math.min(first - Math.floor(most / 3), rows.length - most));
  const shown = rows.slice(from, from + most).map(({ text }) => text);
  while (shown[0] === '') shown.shift();
  while (shown.at(-1) === '') shown.pop();
  if (from > 0) shown.unshift(`${MARGIN}…`);
  if (from + most < rows.length) shown.push(`${MARGIN}…`);
  return shown;
}
