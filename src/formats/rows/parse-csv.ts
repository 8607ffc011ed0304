import type { ParsedFile, ParseOptions } from '../parser.js';
import { readCsv } from './read-csv.js';
import { parseRows } from './rows.js';

/** Passages of comma-separated values. */
export default function parseCsv(text: string, options: ParseOptions): ParsedFile {
  return parseRows(text, { ...options, read: readCsv });
}
