import { jsonTokens, showJsonString } from '../json.js';
import type { VisibleSink } from '../visible-text.js';
import type { Row, Rows } from './rows.js';

/** What separates values. */
const PUNCTUATION = new Set(['{', '}', '[', ']', ',', ':']);

/**
 * Reads one JSON value per line. A reader sees its names and values, `name: value` on a line of its own. What is not
 * JSON is read as text, with a warning.
 */
export function readJsonLines(source: string, sink: VisibleSink, start = 0): Rows {
  const rows: Row[] = [];
  const broken: number[] = [];
  let line = 0;
  for (const { 0: text, index } of source.slice(start).matchAll(/[^\r\n]+|\r\n?|\n/g)) {
    if (/^[\r\n]/.test(text)) line++;
    if (text.trim() === '') continue;
    const row = { start: start + index, end: start + index + text.trimEnd().length };
    rows.push(row);
    if (isJson(text)) showValues(source, row, sink);
    else {
      broken.push(line + 1);
      sink.show(row.start, row.end);
    }
    sink.separate('\n');
  }
  const others = broken.length > 1 ? ` Neither are ${broken.length - 1} others.` : '';
  const warnings = broken.length > 0 ? [`Line ${broken[0]} is not JSON: it is read as text.${others}`] : [];
  return { rows, hasHeader: false, subtype: 'paragraph', warnings };
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
function showValues(source: string, row: Row, sink: VisibleSink): void {
  let isFirst = true;
  let isNamed = false;
  for (const { first, start, end, isName } of jsonTokens(source, row)) {
    if (PUNCTUATION.has(first)) continue;
    if (!isFirst && !isNamed) sink.separate(isName ? '\n' : ', ');
    if (first === '"') showJsonString(source, { start: start + 1, end: end - 1 }, sink);
    else sink.show(start, end);
    if (isName) sink.separate(': ');
    isNamed = isName;
    isFirst = false;
  }
}
