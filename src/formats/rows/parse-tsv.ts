import type { ParsedFile, ParseOptions } from '../parser.js';
import { readTsv } from './read-csv.js';
import { parseRows } from './rows.js';

/** Passages of tab-separated values. */
export default function parseTsv(text: string, options: ParseOptions): ParsedFile {
  return parseRows(text, { ...options, read: readTsv });
}
