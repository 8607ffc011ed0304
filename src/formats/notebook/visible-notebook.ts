import { jsonTokens, showJsonString } from '../json.js';
import { type See, type Show, VisibleTextBuilder } from '../visible-text.js';

/** Characters of a JSON string, or the quotes, comma and white space between two strings of a list. */
const PIECES = /((?:[^"\\]|\\(?:u[\da-f]{4}|[\s\S])?){1,1000})|"\s*,\s*"(?!(?:[^"\\]|\\.){0,100}"\s*:)/giy;

/**
 * What a reader sees of a part of a notebook that begins in the source of a cell: a passage, or several together with
 * what is between them.
 */
export const seeNotebook: See = (source) => {
  const seen = new VisibleTextBuilder(source);
  for (let at: number | undefined = 0; at !== undefined; ) {
    at = nextSource(source, showStrings(source, at, seen));
    if (at !== undefined) seen.separate('\n\n');
  }
  return seen;
};

/** Passages of a notebook as lines of text. */
export const showNotebook: Show = (source) => seeNotebook(source)?.text.trimEnd();

/** Shows the string that an offset is in, and those after it in a list; returns the offset after the last one. */
function showStrings(source: string, from: number, seen: VisibleTextBuilder): number {
  let at = from;
  PIECES.lastIndex = at;
  for (let piece = PIECES.exec(source); piece; piece = PIECES.exec(source)) {
    at = piece.index + piece[0].length;
    if (piece[1] !== undefined) showJsonString(source, { start: piece.index, end: at }, seen);
  }
  return at + 1;
}

/** Where the source of the next cell begins, from an offset behind the source of another; undefined behind the last. */
function nextSource(text: string, start: number): number | undefined {
  // 0 in a cell, more in its outputs and metadata.
  let depth = 0;
  let isSource = false;
  for (const { first, start: at, end, isName } of jsonTokens(text, { start, end: text.length })) {
    if (depth === 0 && isName) isSource = text.slice(at, end) === '"source"';
    else if (depth === 0 && isSource && first === '"') return at + 1;
    // The list of strings that a source is.
    else if (depth === 0 && (first === ']' || (isSource && first === '['))) continue;
    else if (first === '{' || first === '[') depth++;
    else if (first === '}' || first === ']') depth--;
  }
  return undefined;
}
