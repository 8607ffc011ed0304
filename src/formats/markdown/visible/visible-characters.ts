import { decodeString } from 'micromark-util-decode-string';
import { HIDDEN } from '../../hidden.js';
import type { Range } from '../../range.js';
import type { VisibleTextBuilder } from '../../visible-text.js';
import { tagsIn } from './tags-of-html.js';

interface Reading {
  readonly source: string;
  readonly seen: VisibleTextBuilder;
}

interface TextRange extends Range {
  /** Whether backslashes and ampersands are ordinary characters. */
  readonly isLiteral?: boolean;
  /** Whether backslashes are ordinary characters. */
  readonly isHtml?: boolean;
}

/**
 * What is not seen as it is written: the line ends of a paragraph with the marks of a quote after them, characters that
 * stand for hidden marks, escaped punctuation, character references.
 */
const LITERAL = new RegExp(`(?:\\r\\n?|\\n)[ \\t>]*|${HIDDEN}+`, 'g');
const SPECIAL = new RegExp(
  `(?:\\r\\n?|\\n)[ \\t>]*\\|?|${HIDDEN}+` +
    /|\\[!-/:-@[-`{-~]|&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][\dA-Za-z]{0,31});/.source,
  'g',
);

/**
 * Shows a range of running text or of code. A line end becomes a blank, except before a row of a table whose head is
 * elsewhere.
 */
export function showText({ source, seen }: Reading, { start, end, isLiteral, isHtml }: TextRange): void {
  const special = new RegExp(isLiteral ? LITERAL : SPECIAL);
  let at = start;
  special.lastIndex = start;
  for (let match = special.exec(source); match && match.index < end; match = special.exec(source)) {
    const { index, 0: mark } = match;
    const after = Math.min(index + mark.length, end);
    seen.show(at, index);
    at = after;
    if (/^[\r\n]/.test(mark)) seen.separate(mark.endsWith('|') ? '\n' : ' ');
    else if (mark.startsWith('&')) seen.showAs(decodeString(mark), { start: index, end: after });
    else if (mark.startsWith('\\')) seen.show(isHtml ? index : index + 1, after);
  }
  seen.show(at, end);
}

/** Shows the text between the tags of a range of HTML, and those that stand for images. */
export function showHtml(reading: Reading, { start, end }: Range): void {
  const { source, seen } = reading;
  let at = start;
  for (const tag of tagsIn(source.slice(start, end))) {
    showText(reading, { start: at, end: start + tag.start, isHtml: true });
    at = start + tag.end;
    if (tag.alt) showText(reading, { start: start + tag.alt.start, end: start + tag.alt.end, isHtml: true });
    else if (!tag.runsOn) seen.separate('\n');
  }
  showText(reading, { start: at, end, isHtml: true });
}
