import { type See, type Show, VisibleTextBuilder } from '../visible-text.js';
import { readCsv, readTsv } from './read-csv.js';
import { readJsonLines } from './read-json-lines.js';
import type { ReadRows } from './rows.js';

function seeing(read: ReadRows): See {
  return (source) => {
    const seen = new VisibleTextBuilder(source);
    read(source, seen, 0);
    return seen;
  };
}

/** What a reader sees of some rows of a file. */
export const seeCsv = seeing(readCsv);
export const seeTsv = seeing(readTsv);
export const seeJsonLines = seeing(readJsonLines);

/** Some rows of a file as lines of text, with a bar between values. */
export const showCsv: Show = (source) => seeCsv(source)?.text.trimEnd();
export const showTsv: Show = (source) => seeTsv(source)?.text.trimEnd();
export const showJsonLines: Show = (source) => seeJsonLines(source)?.text.trimEnd();
