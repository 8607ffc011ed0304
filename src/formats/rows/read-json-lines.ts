import type { Cell, Cells } from '../cutting/values/cells.js';
import { jsonTokens, showJsonString } from '../json.js';
import type { Range } from '../range.js';
import type { VisibleSink } from '../visible-text.js';
import type { Rows } from './rows.js';

/** What separates values. */
const PUNCTUATION = new Set(['{', '}', '[', ']', ',', ':']);

/**
 * Reads one JSON value per line. A reader sees its names and values, `name: value` on a line of its own. What is not
 * JSON is read as text, with a warning.
 */
export function readJsonLines(source: string, sink: VisibleSink, start = 0): Rows {
  const rows: Range[] = [];
  const broken: number[] = [];
  const brokenRows = new Set<number>();
  let line = 0;
  for (const { 0: text, index } of source.slice(start).matchAll(/[^\r\n]+|\r\n?|\n/g)) {
    if (/^[\r\n]/.test(text)) line++;
    if (text.trim() === '') continue;
    const row = { start: start + index, end: start + index + text.trimEnd().length };
    rows.push(row);
    if (isJson(text)) showValues(source, row, sink);
    else {
      broken.push(line + 1);
      brokenRows.add(row.start);
      sink.show(row.start, row.end);
    }
    sink.separate('\n');
  }
  const others = broken.length > 1 ? ` Neither are ${broken.length - 1} others.` : '';
  const warnings = broken.length > 0 ? [`Line ${broken[0]} is not JSON: it is read as text.${others}`] : [];
  const cellsOf = (row: Range) => (brokenRows.has(row.start) ? undefined : cellsIn(source, row));
  return { rows, hasHeader: false, subtype: 'paragraph', warnings, cellsOf };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Shows names and values token by token, without recursion: a value may be nested to any depth. */
function showValues(source: string, row: Range, sink: VisibleSink): void {
  let isFirst = true;
  let isNamed = false;
  for (const { first, start, end, isName } of jsonTokens(source, row)) {
    if (PUNCTUATION.has(first)) continue;
    if (!isFirst && !isNamed) sink.separate(isName ? '\n' : ', ', start - 1);
    if (first === '"') showJsonString(source, { start: start + 1, end: end - 1 }, sink);
    else sink.show(start, end);
    if (isName) sink.separate(': ');
    isNamed = isName;
    isFirst = false;
  }
}

/** The most names around a value that it is embedded with: a value may be nested to any depth. */
const MOST_NAMES = 3;

/** The strings, numbers and keywords of a line, each with the names before it that have no other. */
function cellsIn(source: string, row: Range): Cells {
  const cells: Cell[] = [];
  /** Of each object and list that is open, the name of the member that it is, if it is one. */
  const open: (Range | undefined)[] = [];
  const path: Range[] = [];
  let above: readonly Range[] | undefined;
  let name: Range | undefined;
  let begun: { readonly start: number; readonly above: readonly Range[] } | undefined;
  let reached = row.start;
  for (const token of jsonTokens(source, row)) {
    if (token.first === '{' || token.first === '[') {
      open.push(name);
      if (name) {
        path.push(name);
        above = undefined;
      }
      name = undefined;
    } else if (token.first === '}' || token.first === ']') {
      if (open.pop()) {
        path.pop();
        above = undefined;
      }
    } else if (!PUNCTUATION.has(token.first)) {
      above ??= path.slice(-MOST_NAMES);
      begun ??= { start: token.start, above };
      reached = token.end;
      if (token.isName) {
        // Without its quotes.
        name = { start: token.start + 1, end: token.end - 1 };
        continue;
      }
      const names = name ? [...above, name].slice(-MOST_NAMES) : above;
      cells.push({ ...begun, end: token.end, names });
      name = undefined;
      begun = undefined;
    }
  }
  // Names of empty lists and objects at the end.
  if (begun) cells.push({ ...begun, end: reached, names: begun.above });
  return { cells, title: cells.slice(0, 1) };
}
