import { HIDDEN } from '../../../hidden.js';
import { SHORT } from '../places.js';
import { hideAround, shownAttributes } from '../tags.js';
import { makeFences, type Reading } from './code-tags.js';
import { wordsOfTag } from './liquid-words.js';

/** The name of a tag, and the word after it. */
const TAG = /^\{%-?\s*(\w+)[ \t]*([\w+-]*)/;

const COMMENT_END = /\{%-?[ \t]*endcomment[ \t]*-?%\}/g;

/** Tags around code, and what ends it. */
const CODE_ENDS: Readonly<Record<string, RegExp>> = {
  highlight: /\{%-?[ \t]*endhighlight[ \t]*-?%\}/g,
  codeblock: /\{%-?[ \t]*endcodeblock[ \t]*-?%\}/g,
};

/** Tags that keep Liquid from reading the code, or a part of one of its lines. */
const RAW = /\{%-?[ \t]*(?:end)?raw[ \t]*-?%\}/g;

/**
 * Hides the tag of Liquid at an offset, except for what a reader sees of it, or the comment that it begins. Returns the
 * offset after it; 0 if it has no end.
 */
export function liquid(reading: Reading, at: number): number {
  const { source, edits, closers } = reading;
  const [, name = '', argument = ''] = TAG.exec(source.slice(at, at + SHORT)) ?? [];
  const close = closers.next('%}', at);
  if (close < 0) return 0;
  const end = close + 2;
  const comment = name === 'comment' ? closers.match(COMMENT_END, end) : undefined;
  if (comment) {
    edits.hide(at, comment.end);
    return comment.end;
  }
  const closing = CODE_ENDS[name];
  const language = name === 'highlight' ? argument : '';
  const after = closing ? makeFences(reading, { start: at, end, language, closing, hidden: RAW }) : 0;
  if (after > 0) return after;
  const mark = { start: at, end, source };
  const words = wordsOfTag(source, { start: at, end, name });
  const [word, ...others] = [...shownAttributes(mark), ...words].sort((a, b) => a.open - b.open);
  if (word && others.length === 0 && !/^[\p{L}\p{N}_]/u.test(source.slice(end, end + 2))) {
    // Without a blank before the full stop of its sentence.
    edits.overwrite(at, word.open + 1, HIDDEN.repeat(word.open + 1 - at));
    edits.overwrite(word.close, end, HIDDEN.repeat(end - word.close));
  } else {
    hideAround(word ? [word, ...others] : [], edits, mark);
  }
  return end;
}
