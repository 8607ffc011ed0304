import { HIDDEN } from '../../hidden.js';
import type { Closers } from './closers.js';
import type { Edits } from './edits.js';

/** What formulas are found with. */
interface Reading {
  readonly source: string;
  readonly edits: Edits;
  readonly closers: Closers;
}

/** The longest formula in a line, and the longest on lines of its own. */
const LONGEST_INLINE = 500;
const LONGEST = 5_000;

/**
 * `$x$` as pandoc reads it, which `$5 and $6` is not. Nor does one end before a name: `$HOME/$USER`, `${a}/${b}`.
 */
const INLINE = /^\$(?![\s$])(?:\\[^\r\n]|[^\\$`\r\n]|(?:\r\n?|\n)(?![ \t>]*[\r\n]))*(?<!\s)\$(?![\d$A-Z_{])/;
/** The beginning of a name in lower case, which the end of `$i$th` is not. */
const NAME = /^(?!(?:th|st|nd|rd|s)\b)[a-z]/;

/** Line ends, with the indentation and the marks of quotes after them. */
const BREAKS = /(?:(?:\r\n?|\n)[ \t>]*)+/g;
const BLANK_LINE = /(?:\r\n?|\n)[ \t>]*[\r\n]/;

/** The beginning of a line up to a formula. */
const LINE_START = /(?:^|[\r\n])[ \t>]*$/;
const INDENTED_LINE = /(?:^|[\r\n])(?: {4}|\t)[^\r\n]*$/;

/**
 * Makes a formula a code span, in which nothing is markup. It becomes one line: in a formula, lines begin with marks of
 * items and quotes. Returns the offset after it, or after the dollars if they do not begin a formula.
 */
export function hideMath(reading: Reading, at: number): number {
  return reading.source.startsWith('$$', at) ? displayed(reading, at) : inline(reading, at);
}

function inline({ source, edits }: Reading, at: number): number {
  const before = source.slice(Math.max(0, at - LONGEST_INLINE), at);
  // What is indented is likely code of a shell.
  if (/\w$/.test(before) || INDENTED_LINE.test(before)) return at + 1;
  const [formula] = INLINE.exec(source.slice(at, at + LONGEST_INLINE)) ?? [];
  if (formula === undefined) return at + 1;
  const end = at + formula.length;
  if (NAME.test(source.slice(end, end + 3))) return at + 1;
  edits.overwrite(at, at + 1, '`');
  edits.overwrite(end - 1, end, '`');
  return end;
}

function displayed({ source, edits, closers }: Reading, at: number): number {
  const start = at + '$$'.length;
  const close = closers.next('$$', start);
  if (close < 0 || close - at > LONGEST) return start;
  const before = source.slice(Math.max(0, at - LONGEST_INLINE), at);
  const formula = source.slice(start, close);
  const isBlock = LINE_START.test(before) && /^[ \t]*[\r\n]/.test(formula) && LINE_START.test(formula);
  const isParted = BLANK_LINE.test(formula) || INDENTED_LINE.test(before);
  if (formula.trim() === '' || (isParted && !isBlock)) return start;
  // A code span would end at a backtick.
  if (formula.includes('`')) return isBlock ? close + 2 : start;
  edits.overwrite(at, start, '``');
  for (const { index, 0: breaks } of formula.matchAll(BREAKS)) {
    const hidden = HIDDEN.repeat(breaks.length - 1);
    // A code span does not show a blank at both of its ends.
    edits.overwrite(start + index, start + index + breaks.length, index === 0 ? ` ${hidden}` : `${hidden} `);
  }
  edits.overwrite(close, close + 2, '``');
  return close + 2;
}
