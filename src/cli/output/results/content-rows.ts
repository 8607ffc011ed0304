import type { Highlight } from '../../../index.js';
import { colors } from '../terminal.js';
import { narrowTables } from './narrow-tables.js';
import { columnsOfText, JOINED, joinWrapped, wrap } from './wrap.js';

interface ContentOptions {
  /** The sentence that matches best. */
  readonly highlight: Highlight | undefined;
  /** Maximum rows. */
  readonly limit: number;
  /** Whether its paragraphs may be re-wrapped. */
  readonly isProse: boolean;
}

interface ContentRow {
  readonly text: string;
  /** Whether it holds a part of the highlight. */
  readonly marked: boolean;
  /** The row that opens the fenced code of which it is a part, and the marks that close it. */
  readonly fence: Fence | undefined;
}

interface Fence {
  readonly opening: string;
  readonly closing: string;
}

const FENCE = /^(?:`{3,}|~{3,})/;

const MARGIN = '    ';
/** Not `>`, which is the mark of a quote in markdown. */
const MARK = '  ┃ ';

/** The content wrapped to the terminal, the highlight marked; at most `limit` rows around the highlight. */
export function contentRows(content: string, { highlight, limit, isProse }: ContentOptions): string[] {
  const width = columnsOfText() - MARGIN.length;
  const rows: ContentRow[] = [];
  let fence: Fence | undefined;
  const joined = isProse ? joinWrapped(narrowTables(content, width), width) : content;
  for (const { 0: line, index } of joined.matchAll(/[^\r\n]+|(?<=\n)(?=\r?\n)/g)) {
    const [whitespace = ''] = line.match(/^\s*/) ?? [];
    const indent = whitespace.replaceAll('\t', '  ').slice(0, width / 2);
    const text = line.slice(whitespace.length).replaceAll('\t', ' ');
    for (const { start, end } of wrap(text, width - indent.length)) {
      const row = text.slice(start, end);
      const offset = index + whitespace.length + start;
      const from = Math.max(0, (highlight?.start ?? content.length) - offset);
      const to = Math.min(row.length, (highlight?.end ?? 0) - offset);
      const marked = from < to;
      const shown = marked ? row.slice(0, from) + colors.bold(row.slice(from, to)) + row.slice(to) : row;
      rows.push({
        text: `${marked ? colors.green(MARK) : MARGIN}${indent}${shown}`.replaceAll(JOINED, '').trimEnd(),
        marked,
        fence,
      });
    }
    fence = fenceAfter(text, { fence, indent: MARGIN + indent });
  }
  return excerpt(rows, limit);
}

/** The fenced code that goes on after a line: that of the line before, unless the line opens or closes it. */
function fenceAfter(
  line: string,
  { fence, indent }: { readonly fence: Fence | undefined; readonly indent: string },
): Fence | undefined {
  const [marks] = FENCE.exec(line) ?? [];
  if (marks === undefined) return fence;
  if (!fence) return { opening: `${indent}${line}`, closing: `${indent}${marks}` };
  return line.trim() === marks && marks.startsWith(fence.closing.trim()) ? undefined : fence;
}

/**
 * At most `limit` rows around the first marked one, with no blank row at either end. Fenced code of which it shows a
 * part keeps its fences.
 */
function excerpt(rows: readonly ContentRow[], limit: number): string[] {
  const first = rows.findIndex(({ marked }) => marked);
  const from = Math.max(0, Math.min(first - Math.floor(limit / 3), rows.length - limit));
  const next = rows[from + limit];
  const shown = rows.slice(from, from + limit).map(({ text }) => text);
  while (shown[0] === '') shown.shift();
  while (shown.at(-1) === '') shown.pop();
  const opened = rows[from]?.fence;
  if (from > 0) shown.unshift(...(opened ? [opened.opening] : []), `${MARGIN}…`);
  if (next) shown.push(`${MARGIN}…`, ...(next.fence ? [next.fence.closing] : []));
  return shown;
}
