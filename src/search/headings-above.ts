import type { Passage } from '../domain/passage.js';
import { termsOf } from '../text/terms.js';

/**
 * The headings above a passage, as markdown, from the first that differs from those of the previous passage. Headings
 * in its content are left out: a section of a few words is a passage together with its heading.
 */
export function headingsAbove({ breadcrumb, content }: Passage, previous: Passage | undefined): string[] {
  const before = previous?.breadcrumb ?? [];
  const differing = breadcrumb.findIndex((heading, level) => heading !== before[level]);
  // After another heading with the same words, or after a quotation with headings, the deeper headings no longer apply.
  const hasEnded = differing < 0 && breadcrumb.length < before.length;
  const common = hasEnded ? breadcrumb.length - 1 : differing;
  if (common < 0) return [];
  const within = headingsIn(content);
  const end = breadcrumb.findIndex((heading, level) => level >= common && within.has(wordsOf(heading)));
  return breadcrumb
    .slice(common, end < 0 ? undefined : end)
    .map((heading, i) => `${'#'.repeat(Math.min(common + i + 1, 6))} ${heading}`);
}

/** The marks of quotations and list items before a heading. Millions of them would overflow the stack of V8. */
const MARKS = /^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s){0,1000}/;
const BLANK = /^[\s>]*$/;
const HASHES = /^#{1,6}\s/;
const OPENING_TAG = /^<h[1-6]\b/i;
const CLOSING_TAG = /<\/h[1-6]>\s*$/i;
const UNDERLINE = /^[\s>]*(?:=+|-+)\s*$/;

/** Ends of lines; in HTML, all elements may be on one. */
const LINE_ENDS = /\r\n?|\n|(?<=<\/h[1-6]>)(?=<)/i;

/** The first or last line of a block of code. */
const FENCE = /^(?:`{3,}|~{3,})/;

/** The words of the headings in a content that begins with one; none of another, where a `#` may begin a comment. */
function headingsIn(content: string): Set<string> {
  const lines = linesOutsideCode(content);
  const found = new Set<string>();
  // A heading that is underlined or between tags may have several lines: it begins after the last blank line.
  let start = 0;
  for (const [i, line] of lines.entries()) {
    const text = line.replace(MARKS, '');
    const isUnderline = start < i && UNDERLINE.test(line);
    if (BLANK.test(line)) start = i + 1;
    else if (HASHES.test(text) || OPENING_TAG.test(text)) start = i;
    // The content begins with something else.
    if (start > 0 && found.size === 0) return found;
    if (!isUnderline && !HASHES.test(text) && !CLOSING_TAG.test(text)) continue;
    const heading = lines.slice(start, isUnderline ? i : i + 1).map((each) => each.replace(MARKS, ''));
    for (const words of wordsOfSource(heading.join(' '))) found.add(words);
    start = i + 1;
  }
  return found;
}

/** The lines of a content; those of blocks of code are empty. */
function linesOutsideCode(content: string): string[] {
  let fence = '';
  return content.split(LINE_ENDS).map((line) => {
    const mark = FENCE.exec(line.replace(MARKS, ''))?.[0] ?? '';
    const isFence = mark !== '' && mark.startsWith(fence);
    const isCode = isFence || fence !== '';
    if (isFence) fence = fence === '' ? mark : '';
    return isCode ? '' : line;
  });
}

/**
 * Code, and what else a heading has in its source beside its words: tags, images, footnotes, targets of links. Looking
 * for the end of one stops where another begins: otherwise the time would grow with the square of the length.
 */
const CODE_OR_MARKUP = new RegExp(
  String.raw`\x60+[^\x60]*\x60+|(?<!\\)<[^<>]*>|!\[[^[\]]*\]|\[\^[^[\]]*\]|(?<=\[\[)[^[\]|]*\||` +
    String.raw`(?<=\])(?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])`,
  'g',
);
const ATTRIBUTES = /\{[^{}]*\}/g;

/** The words of a heading in its source, with and without what may be attributes or words between braces. */
function wordsOfSource(source: string): string[] {
  const text = source.replace(CODE_OR_MARKUP, (found) => (found.startsWith('`') ? found : ''));
  return [wordsOf(text), wordsOf(text.replace(ATTRIBUTES, ''))];
}

/** The words of a plain text. */
function wordsOf(text: string): string {
  return termsOf(text).join(' ');
}
