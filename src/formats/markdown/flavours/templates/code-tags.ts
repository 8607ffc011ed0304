import type { Range } from '../../../range.js';
import type { Closers } from '../closers.js';
import type { Edits } from '../edits.js';
import { endsLine, SHORT, startsLine } from '../places.js';

/** What tags are found with. */
export interface Reading {
  readonly source: string;
  readonly edits: Edits;
  readonly closers: Closers;
}

/** A tag that begins code, and what is known of the code. */
export interface CodeTag extends Range {
  readonly language: string;
  /** The text in the tag that a reader sees above the code. */
  readonly label?: Range | undefined;
  /** A global pattern of the tag that ends the code. */
  readonly closing: RegExp;
  /** A global pattern of tags in the code that a reader does not see. */
  readonly hidden?: RegExp;
}

const BACKTICKS = /^[ \t>]*(`{3,})/gm;

/** An HTML tag that fills the line above. Without `pre` and the like: their blocks go on over blank lines. */
const TAG = '<\\/?(?!(?:img|pre|script|style|textarea|h[1-6])\\b)[a-z][\\w-]*(?:[ \\t][^<>\\r\\n]*)?>';
const TAG_ABOVE = new RegExp(`(?:^|[\\r\\n])([ \\t>]*)(${TAG})[ \\t]*(?:\\r\\n?|\\n)[ \\t>]*$`, 'i');

/**
 * Turns tags around code into its fences, if they are on lines of their own. Returns the offset after them, or 0 if
 * they do not.
 */
export function makeFences(reading: Reading, tag: CodeTag): number {
  const { source, edits, closers } = reading;
  const { start, end, language, closing, hidden } = tag;
  if (!startsLine(source, start) || !endsLine(source, end)) return 0;
  const close = closers.match(closing, end);
  if (!close || !startsLine(source, close.start) || !endsLine(source, close.end)) return 0;
  const code = source.slice(end, close.start);
  const prefix = /[ \t>]*$/.exec(source.slice(Math.max(0, start - SHORT), start))?.[0] ?? '';
  const fence = fenceAround(code);
  const opening = [`${fence}${language}`, fence].find(({ length }) => length <= end - start);
  const isFenced = opening !== undefined && fence.length <= close.end - close.start && staysInside(code, prefix);
  if (isFenced) {
    hideTagAbove(reading, start);
    writeOpening(edits, tag, opening);
  } else {
    edits.hide(start, end);
  }
  for (const { index, 0: mark } of hidden ? code.matchAll(hidden) : []) {
    edits.hide(end + index, end + index + mark.length);
  }
  if (isFenced) edits.overwrite(close.start, close.end, fence);
  else edits.hide(close.start, close.end);
  return close.end;
}

/** A fence that no line of the code ends. */
function fenceAround(code: string): string {
  let longest = 2;
  for (const [, run = ''] of code.matchAll(BACKTICKS)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** Whether each line is in the quote or the list item that the first fence may be in: else the last one begins code. */
function staysInside(code: string, prefix: string): boolean {
  const isQuoted = prefix.includes('>');
  if (!isQuoted && prefix.length < 2) return true;
  const needed = isQuoted ? prefix.slice(0, prefix.lastIndexOf('>') + 1) : prefix;
  const lines = code.split(/\r\n?|\n/).slice(1);
  const last = lines.length - 1;
  return lines.every((line, i) => line.startsWith(needed) || (!isQuoted && i < last && line.trim() === ''));
}

/** The label becomes the title of the code, if there is room. */
function writeOpening(edits: Edits, { start, end, label }: CodeTag, opening: string): void {
  const title = ' title="';
  const room = label ? label.start - start - title.length : 0;
  if (!label || opening.length > room) {
    edits.overwrite(start, end, opening);
  } else {
    edits.overwrite(start, label.start, `${opening.padEnd(room)}${title}`);
    edits.overwrite(label.end, end, '"');
  }
}

/** Makes a tag on the line above a blank line: without one, the HTML block of the tag would include the code. */
function hideTagAbove({ source, edits }: Reading, at: number): void {
  const from = Math.max(0, at - SHORT);
  const above = TAG_ABOVE.exec(source.slice(from, at));
  if (!above) return;
  const [whole, blanks = '', tag = ''] = above;
  const start = from + above.index + whole.indexOf(blanks + tag) + blanks.length;
  edits.hide(start, start + tag.length);
}
