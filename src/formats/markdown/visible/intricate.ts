import { mayNestDeeper } from '../nesting.js';

const MARKS = /[*_~[\]<>|`&!]|(?:[-+]|\d[.)])[ \t]/g;
const LINE_ENDS = /\r\n?|\n/g;

/** Texts of documentation rarely have as many. */
const MAX_MARKS = 400;
const MAX_LINES = 200;
const MAX_LEVELS = 20;

/**
 * Whether a text may take more than some milliseconds to parse: micromark takes time that is quadratic in such counts.
 */
export function isIntricate(text: string): boolean {
  const marks = text.match(MARKS)?.length ?? 0;
  const lines = text.match(LINE_ENDS)?.length ?? 0;
  return marks > MAX_MARKS || lines > MAX_LINES || mayNestDeeper(text, MAX_LEVELS);
}
