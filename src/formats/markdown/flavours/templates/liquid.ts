import { SHORT } from '../places.js';
import { hideExceptShown } from '../tags.js';
import { makeFences, type Reading } from './code-tags.js';

/** The name of a tag, and the word after it. */
const TAG = /^\{%-?[ \t]*(\w+)[ \t]*([\w+-]*)/;

const COMMENT_END = /\{%-?[ \t]*endcomment[ \t]*-?%\}/g;

/** Tags around code, and what ends it. */
const CODE_ENDS: Readonly<Record<string, RegExp>> = {
  highlight: /\{%-?[ \t]*endhighlight[ \t]*-?%\}/g,
  codeblock: /\{%-?[ \t]*endcodeblock[ \t]*-?%\}/g,
};

/** Tags that keep Liquid from reading the code, on lines of their own. */
const RAW = /^([ \t>]*)\{%-?[ \t]*(?:end)?raw[ \t]*-?%\}[ \t]*$/gm;

/**
 * Hides the tag of Liquid at an offset, or the comment that it begins. Returns the offset after it; 0 if it has no end.
 */
export function liquid(reading: Reading, at: number): number {
  const { source, edits, closers } = reading;
  const [, name = '', word = ''] = TAG.exec(source.slice(at, at + SHORT)) ?? [];
  const close = closers.next('%}', at);
  if (close < 0) return 0;
  const end = close + 2;
  const comment = name === 'comment' ? closers.match(COMMENT_END, end) : undefined;
  if (comment) {
    edits.hide(at, comment.end);
    return comment.end;
  }
  const closing = CODE_ENDS[name];
  const language = name === 'highlight' ? word : '';
  const after = closing ? makeFences(reading, { start: at, end, language, closing, hidden: RAW }) : 0;
  if (after > 0) return after;
  hideExceptShown(edits, { start: at, end, source });
  return end;
}
