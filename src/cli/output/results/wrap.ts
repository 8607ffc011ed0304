import stringWidth from 'string-width';
import { hasFences } from './has-fences.js';

/** The part of a line that fits the width, in UTF-16 offsets. */
export interface Row {
  readonly start: number;
  readonly end: number;
}

interface MeasuredRow {
  readonly start: number;
  end: number;
  /** Width on a terminal. */
  columns: number;
}

/** Columns of a row: longer and shorter rows are hard to read. */
const WIDEST = 100;
const NARROWEST = 20;

/** The columns of the terminal that text takes. */
export function columnsOfText(): number {
  // A terminal of unknown width reports 0 columns.
  return Math.max(NARROWEST, Math.min(process.stdout.columns || WIDEST, WIDEST));
}

/** Scripts written without spaces. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;

/** Whitespace, one character of an unspaced script, or a word with its punctuation. */
const TOKEN = new RegExp(String.raw`\s+|[${UNSPACED}]|[^\s${UNSPACED}]+`, 'gu');

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Stands for every character but the first of a joined line break, so that offsets stay the same; not printed. */
export const JOINED = '\0';

/** A line break before a line that begins with a word or with quote markers, and not after a blank line. */
const GOES_ON =
  /(?<!^|[;{}\\]| {2}|\[!\w{1,20}\])(?:\r\n?|\n)[ \t]*(?:>[ \t]?)*(?=["'(`*_[]{0,3}[\p{L}\p{N}])(?!\d+[.)][ \t])/gu;

const BLANK_LINES = /((?:\r\n|\r(?!\n)|\n)[ \t>]*(?=[\r\n]|$))/;

/** Headings, tables, and code by its indentation. */
const APART = /^[ \t>]*#{1,6}[ \t]|\||^(?: {4}|\t)/;

/**
 * Joins the lines of each paragraph or list item in which a line does not fit the width: text wrapped at 80 columns
 * would otherwise leave rows of one word. A text with fences is returned unchanged, because a passage may begin or end
 * in code. The result is as long as the text.
 */
export function joinWrapped(text: string, width: number): string {
  if (hasFences(text)) return text;
  const parts = text.split(BLANK_LINES);
  return parts.map((part) => (isWrapped(part, width) ? part.replace(GOES_ON, joinedBreak) : part)).join('');
}

function isWrapped(paragraph: string, width: number): boolean {
  const lines = paragraph.split(/\r\n?|\n/);
  const quotes = new Set(lines.map((line) => /^[ \t>]*/.exec(line)?.[0].replace(/[ \t]/g, '')));
  if (quotes.size > 1 || lines.some((line) => APART.test(line))) return false;
  return lines.length > 1 && lines.some((line) => stringWidth(line) > width);
}

function joinedBreak(mark: string): string {
  return ` ${JOINED.repeat(mark.length - 1)}`;
}

/** Wraps a line at whitespace into rows of at most `width` columns; a longer word is split between graphemes. */
export function wrap(line: string, width: number): Row[] {
  const rows: MeasuredRow[] = [];
  let gap = 0;
  for (const { 0: token, index } of line.matchAll(TOKEN)) {
    if (/^\s/.test(token)) {
      gap = stringWidth(token);
      continue;
    }
    for (const piece of split(token, width)) {
      const last = rows.at(-1);
      const end = index + piece.end;
      if (last && last.columns + gap + piece.columns <= width) {
        last.end = end;
        last.columns += gap + piece.columns;
      } else {
        rows.push({ start: index + piece.start, end, columns: piece.columns });
      }
      gap = 0;
    }
  }
  return rows.length > 0 ? rows.map(({ start, end }) => ({ start, end })) : [{ start: 0, end: 0 }];
}

/** The whole word if it fits, otherwise parts that each fill a row. */
function split(word: string, width: number): MeasuredRow[] {
  const columns = stringWidth(word);
  if (columns <= width) return [{ start: 0, end: word.length, columns }];
  const parts: MeasuredRow[] = [];
  for (const { segment, index } of graphemes.segment(word)) {
    const last = parts.at(-1);
    const end = index + segment.length;
    const columns = stringWidth(segment);
    if (last && last.columns + columns <= width) {
      last.end = end;
      last.columns += columns;
    } else {
      parts.push({ start: index, end, columns });
    }
  }
  return parts;
}
