import { HIDDEN } from '../../../hidden.js';
import type { Edits } from '../edits.js';
import type { Line } from '../line-marks.js';

/** A term on a line, and `:   its definition` on the next. */
const DEFINITION = /^((?: {0,3}>)* {0,3}):([ \t]+)(?=\S)/;
/** The most blanks after the marker of an item that are not of code in it. */
const WIDEST = 4;

/** A rule of a grid table, and any of its lines. */
const RULE = /^((?: {0,3}>)* *)\+(?::?[-=]+:?\+)+[ \t]*$/;
const ROW = /^(?: {0,3}>)*( *)[|+]/;
const ITEM = /^ *(?:[-*+]|\d{1,9}[.)]) +(?=\S)/;
/** Each row takes the time of all columns. */
const MOST_COLUMNS = 100;
const BAR = /(?<!\\)\|/;

/** A line of a cell that is not shown: the rule beside a cell of several rows, or the mark of a container. */
const CELL_MARK = /^(?:[-=+:]{3,}|:{3,}[ \t]*[\w{}.-]*)$/;

/** What follows the mark of a fence around HTML that becomes part of the page. */
const RAW_HTML = /^[ \t]*\{=html\}[ \t]*$/;

/** The beginning of code in a cell, which becomes a code span. */
const FENCE = /^(`{3,})[^`]*$/;

/** A definition, made an item of a list: that indents its content in the same way. */
interface Item {
  /** What its first line begins with as an item. */
  readonly marker: string;
  /** The offset of its content. */
  readonly content: number;
}

/** Whether a fence is around HTML of the page. `info` is what follows its mark. */
export function isRawHtml(info: string): boolean {
  return RAW_HTML.test(info);
}

/** Reads the definition that a line begins; undefined if it begins none. */
export function definitionAt({ text, start }: Line, source: string): Item | undefined {
  const [mark, prefix = '', blanks = ''] = DEFINITION.exec(text) ?? [];
  if (mark === undefined || !isBelowText(source, start)) return undefined;
  // After more blanks, the content would be code.
  return { marker: `${prefix}-${blanks.slice(0, WIDEST)}`, content: start + mark.length };
}

/** Whether there is a text above a line, with one blank line between them at most. */
function isBelowText(source: string, start: number): boolean {
  const before = source.slice(Math.max(0, start - 100), start);
  const blanks = before.slice(before.trimEnd().length);
  return blanks.length < before.length && blanks.split(/\r\n?|\n/).length <= 3;
}

/** What is written over a range. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface GridLine extends Line {
  readonly end: number;
  readonly isRule: boolean;
}

/**
 * Makes grid tables tables of GFM, one line after the other:
 *
 *     +---+---+
 *     | a | b |
 *     +===+===+
 *     | c | d |
 *     +---+---+
 *
 * The rule below the first row becomes the row of delimiters. A rule between others is blanks after the row above it.
 */
export class GridTables {
  readonly #source: string;
  readonly #edits: Edits;
  readonly #readRow: (row: string) => string;
  /** Edits by the start of their line. */
  readonly #planned = new Map<number, Edit>();
  /** Up to where lines were looked at. */
  #end = 0;
  /** How many columns the content of the last item of a list is indented by. */
  #indent = 0;

  /** `readRow` hides the marks inside of a row that is put together from several lines. */
  constructor(source: string, { edits, readRow }: { edits: Edits; readRow: (row: string) => string }) {
    this.#source = source;
    this.#edits = edits;
    this.#readRow = readRow;
  }

  /** Rewrites a line of a grid table. Returns the offset up to which it is read; undefined if nothing is changed. */
  rewrite({ text, start }: Line): number | undefined {
    if (/^\S/.test(text)) this.#indent = 0;
    this.#indent = ITEM.exec(text)?.[0].length ?? this.#indent;
    if (start >= this.#end && this.#isRow(text)) this.#plan(start);
    const edit = this.#planned.get(start);
    if (!edit) return undefined;
    this.#planned.delete(start);
    this.#edits.overwrite(edit.start, edit.end, edit.text);
    return edit.end;
  }

  /** Whether a line may be of a table, which indented code is not. */
  #isRow(text: string): boolean {
    const [, blanks] = ROW.exec(text) ?? [];
    return blanks !== undefined && blanks.length < this.#indent + 4;
  }

  #plan(start: number): void {
    const lines = this.#linesFrom(start);
    const first = lines[0]?.isRule ? 1 : 0;
    const rules = lines.filter(({ isRule }) => isRule).map(({ text }) => boundariesOf(text));
    const boundaries = rules.reduce((widest, rule) => (rule.length > widest.length ? rule : widest), []);
    if (boundaries.length > MOST_COLUMNS) return;
    // A part of a table may begin with its head.
    if (!lines.slice(0, 2).some(({ isRule }) => isRule) || lines[first]?.isRule !== false) return;
    const edits = gridEdits(lines, { first, boundaries, readRow: this.#readRow });
    for (const { line, ...edit } of edits ?? []) this.#planned.set(line, edit);
  }

  #linesFrom(start: number): GridLine[] {
    const lines: GridLine[] = [];
    const lineEnd = /\r\n?|\n|$/g;
    for (let at = start; at < this.#source.length; at = this.#end) {
      lineEnd.lastIndex = at;
      const { index: end, 0: ending } = lineEnd.exec(this.#source) as RegExpExecArray;
      const text = this.#source.slice(at, end);
      if (!this.#isRow(text)) break;
      lines.push({ text, start: at, end, isRule: RULE.test(text) });
      this.#end = end + ending.length;
    }
    return lines;
  }
}

/** The edits of a table; undefined if it has no head, or one for which there is no room. */
function gridEdits(
  lines: readonly GridLine[],
  { first, boundaries, readRow }: { first: number; boundaries: readonly number[]; readRow: (row: string) => string },
): (Edit & { readonly line: number })[] | undefined {
  const edits: (Edit & { readonly line: number })[] = [];
  const delimiters = lines.findIndex(({ isRule }, i) => i > first && isRule);
  if (delimiters < 0) return undefined;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as GridLine;
    const { start, end, text } = line;
    if (i === delimiters) {
      const row = delimiterRow(text, boundaries.length - 1);
      if (row === undefined) return undefined;
      edits.push({ line: start, start, end, text: row });
    } else if (line.isRule) {
      const isJoined = i > 0 && i < lines.length - 1;
      const from = isJoined ? (lines[i - 1] as GridLine).end : start;
      edits.push({ line: start, start: from, end, text: isJoined ? '' : hiddenLine(text) });
    } else {
      const from = i;
      while (lines[i + 1]?.isRule === false) i++;
      const row = joinedRow(lines.slice(from, i + 1), boundaries);
      if (row === undefined) continue;
      const last = lines[i] as GridLine;
      if (row.length <= last.end - start) edits.push({ line: start, start, end: last.end, text: readRow(row) });
      else if (from === first) return undefined;
    }
  }
  return edits;
}

/** Blanks after the marks of quotes. */
function hiddenLine(text: string): string {
  const [, prefix = ''] = RULE.exec(text) ?? [];
  return prefix + HIDDEN.repeat(text.length - prefix.length);
}

/** Where the columns of a rule are separated. */
function boundariesOf(rule: string): number[] {
  return [...rule.matchAll(/\+/g)].map(({ index }) => index);
}

function delimiterRow(rule: string, columns: number): string | undefined {
  if (boundariesOf(rule).length === columns + 1) return rule.replaceAll('+', '|').replaceAll('=', '-');
  const [, prefix = ''] = RULE.exec(rule) ?? [];
  const row = `${prefix}|${'-|'.repeat(columns)}`;
  return row.length <= rule.length ? row : undefined;
}

/** A row on one line; undefined if it is one already. */
function joinedRow(lines: readonly Line[], boundaries: readonly number[]): string | undefined {
  const columns = boundaries.length - 1;
  const [{ text: head }] = lines as [Line];
  if (lines.length === 1 && head.split(BAR).length === columns + 2) return undefined;
  const cells = Array.from({ length: columns }, (): string[] => []);
  for (const { text } of lines) {
    for (const [i, part] of cellsOf(text, boundaries).entries()) {
      const shown = part.trim().replace(/\\$/, '').trimEnd().replace(FENCE, '$1');
      if (shown !== '' && !CELL_MARK.test(shown)) cells[i]?.push(shown);
    }
  }
  const [prefix = ''] = /^[ >]*/.exec(head) ?? [];
  return `${prefix}|${cells.map((parts) => parts.join(' ')).join('|')}|`;
}

/** The cells of a line: what is between the boundaries, or else between the bars. */
function cellsOf(text: string, boundaries: readonly number[]): string[] {
  if (boundaries.every((at) => /[|+]/.test(text.charAt(at)))) {
    return boundaries.slice(1).map((end, i) => text.slice((boundaries[i] ?? 0) + 1, end).replaceAll('|', ' '));
  }
  const cells = text.trimEnd().replace(/\|$/, '').split(BAR).slice(1);
  const columns = boundaries.length - 1;
  return [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(' ')];
}
