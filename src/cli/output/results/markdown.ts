import { printable, printableText } from '../printable.js';
import { headingsOf, placeOf, type Result } from './result.js';

/** A passage as markdown: file and lines, score and breadcrumb above a quote of its content. */
export function markdownOf(result: Result, content: string): string {
  const headings = printable(headingsOf(result));
  const about = `${codeSpan(printable(placeOf(result)))} ${result.score.toFixed(2)}${headings && ` ${headings}`}`;
  const lines = printableText(content.trim()).split(/\r\n|\n|\r/);
  return `${about}\n\n${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}`;
}

/** A code span whose marks are longer than the backticks in it. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const mark = '`'.repeat(longest + 1);
  return longest > 0 ? `${mark} ${text} ${mark}` : `${mark}${text}${mark}`;
}
