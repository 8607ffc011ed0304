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

/** The words of the headings in a content that begins with one; none of another, where a `#` may begin a comment. */
function headingsIn(content: string): Set<string> {
  const lines = content.split(/\r\n?|\n/);
  const isHeading = (line: string, next = '') =>
    /^[\s>]*(?:#{1,6}\s|<h[1-6]\b)/i.test(line) || (/\S/.test(line) && /^[\s>]*(?:=+|-+)\s*$/.test(next));
  if (!isHeading(lines[0] ?? '', lines[1])) return new Set();
  return new Set(lines.filter((line, i) => isHeading(line, lines[i + 1])).flatMap(wordsOfSource));
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
function wordsOfSource(line: string): string[] {
  const text = line.replace(CODE_OR_MARKUP, (found) => (found.startsWith('`') ? found : ''));
  return [wordsOf(text), wordsOf(text.replace(ATTRIBUTES, ''))];
}

/** The words of a plain text. */
function wordsOf(text: string): string {
  return termsOf(text).join(' ');
}
