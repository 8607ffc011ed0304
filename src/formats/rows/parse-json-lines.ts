import type { ParsedFile, ParseOptions } from '../parser.js';
import { readJsonLines } from './read-json-lines.js';
import { parseRows } from './rows.js';

/** Passages of JSON lines. */
export default function parseJsonLines(text: string, options: ParseOptions): ParsedFile {
  return parseRows(text, { ...options, read: readJsonLines });
}
