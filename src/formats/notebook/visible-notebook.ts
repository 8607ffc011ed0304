import { showJsonString } from '../json.js';
import { type See, type Show, VisibleTextBuilder } from '../visible-text.js';

/** Characters of a JSON string, or the quote, comma and white space between two of them. */
const PIECES = /((?:[^"\\]|\\(?:u[\da-f]{4}|[\s\S])?){1,1000})|"\s*,\s*"|"/gi;

/** What a reader sees of a passage of a notebook, which is a part of the strings that its cell consists of. */
export const seeNotebook: See = (source) => {
  const seen = new VisibleTextBuilder(source);
  for (const { 0: piece, 1: text, index } of source.matchAll(PIECES)) {
    if (text !== undefined) showJsonString(source, { start: index, end: index + piece.length }, seen);
  }
  return seen;
};

/** A passage of a notebook as lines of text. */
export const showNotebook: Show = (source) => seeNotebook(source)?.text.trimEnd();
