import type { Closers } from '../closers.js';
import type { Edits } from '../edits.js';
import type { Line } from '../line-marks.js';
import { endsLine, SHORT, startsLine } from '../places.js';

/** A block of ReadMe, which hosts documentation: `[block:callout]`, lines of JSON, `[/block]`. */
const OPENING = /^\[block:([a-z-]+)\]/;
const CLOSING = '[/block]';

/** A string of JSON, and the colon that follows a key. One without an end quote ends with its line. */
const STRING = /"((?:[^"\\\r\n]|\\.)*)\\?("?)([ \t]*:)?/g;
const ESCAPE = /\\./g;

/** Keys whose values a reader sees; `h-0` and `1-0` are cells of a table. */
const KEY = String.raw`(?:title|body|caption|html|code|h-\d+|\d+-\d+)`;
const SHOWN = new RegExp(`^${KEY}$`);
const LINE = new RegExp(String.raw`^[ \t]*"${KEY}":[ \t]*"(?:[^"\\]|\\.)*\\?(?:",?[ \t]*)?$`);

/** What blocks are found with. */
interface Reading {
  readonly source: string;
  readonly edits: Edits;
  readonly closers: Closers;
}

/** Hides a block, except for its texts. Returns the offset after it; 0 if there is none. */
export function hideBlock({ source, edits, closers }: Reading, at: number): number {
  const [opening, kind] = OPENING.exec(source.slice(at, at + SHORT)) ?? [];
  if (opening === undefined || !startsLine(source, at) || !endsLine(source, at + opening.length)) return 0;
  const close = closers.next(CLOSING, at);
  if (close < 0) return 0;
  const end = close + CLOSING.length;
  hideAroundTexts({ source, edits }, { at, end, isHeading: kind === 'api-header' });
  return end;
}

/**
 * The same for a line of a block whose opening line is not in this part of the file. Returns undefined if the line is
 * not part of a block.
 */
export function hideLineOfBlock({ text, start }: Line, reading: Omit<Reading, 'closers'>): number | undefined {
  if (!LINE.test(text)) return undefined;
  hideAroundTexts(reading, { at: start, end: start + text.length, isHeading: false });
  return start + text.length;
}

function hideAroundTexts(
  { source, edits }: Omit<Reading, 'closers'>,
  { at, end, isHeading }: { readonly at: number; readonly end: number; readonly isHeading: boolean },
): void {
  const block = source.slice(at, end);
  let isFirst = true;
  let key = '';
  for (const { index, 1: text = '', 2: quote, 3: colon } of block.matchAll(STRING)) {
    const start = at + index + 1;
    if (colon === undefined && text.trim() !== '' && SHOWN.test(key)) {
      const isCode = key === 'code' && quote === '"' && !text.includes('`');
      if (isCode) {
        edits.hide(at, start - 1);
        edits.overwrite(start - 1, start, '`');
      } else if (isHeading && isFirst) {
        const line = at + Math.max(block.lastIndexOf('\n', index), block.lastIndexOf('\r', index)) + 1;
        edits.hide(at, line);
        edits.replace(line, start, '## ');
      }
      edits.hide(at, start);
      showEscapes(edits, { text, start, isHtml: key === 'html' });
      const close = start + text.length;
      edits.overwrite(close, close + (quote?.length ?? 0), isCode ? '`' : '');
      isFirst = false;
    }
    key = colon === undefined ? '' : text;
  }
  edits.hide(at, end);
}

/** Writes blanks for the line ends of a string of JSON, and characters for those that are escaped. */
function showEscapes(edits: Edits, { text, start, isHtml }: { text: string; start: number; isHtml: boolean }): void {
  for (const { index, 0: mark } of text.matchAll(ESCAPE)) {
    const at = start + index;
    if (/[nrt]$/.test(mark)) edits.overwrite(at, at + mark.length, ' ');
    // A tag may have blanks around its quotes, but no other character.
    else if (isHtml) edits.overwrite(at, at + 1, ' ');
    else if (/["\\/]$/.test(mark)) edits.hide(at, at + 1);
  }
}
