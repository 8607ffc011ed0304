import type { Root } from 'mdast';
import { byteOrderMarks } from '../../cutting/lines.js';
import { asCommonMark } from '../flavours/as-commonmark.js';
import { parseMdast } from '../parse-mdast.js';
import { isIntricate } from './intricate.js';

/** A part of a markdown file, such as a passage. */
export interface Part {
  readonly original: string;
  /** The part as CommonMark, as long as the original. */
  readonly text: string;
  /** Its tree. What begins beyond the text was added, so that links have targets. */
  readonly root: Root;
  /** Whether it begins inside of a list whose beginning is elsewhere. */
  readonly isNested: boolean;
}

/** An item, or a fence, that CommonMark would take for code where the list around it is missing. */
const NESTED = /^(?: {4}|\t)[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|`{3}|~{3})/;

/** A link whose target is elsewhere in the file, as it often is, beyond the passage. */
const REFERENCE =
  /\]\[([^[\]\\\s](?:[^[\]\\\n]{0,100}[^[\]\\\s])?)\]|\[([^[\]\\\s](?:[^[\]\\\n]{0,100}[^[\]\\\s])?)\]\[\]/g;

/** The end of a word or of brackets, after which brackets are an index, as in `user[name][0]`, and no link. */
const INDEXED = /[\p{L}\p{N}_\]]$/u;

/** Reads a part of a markdown file; undefined if it is too intricate. */
export function readPart(original: string, { mdx }: { readonly mdx: boolean }): Part | undefined {
  if (isIntricate(original)) return undefined;
  const marks = byteOrderMarks(original);
  const source = ' '.repeat(marks) + original.slice(marks);
  const { text, isMdx } = asCommonMark(source, { mdx, isPart: true });
  const isNested = NESTED.test(original);
  const root = parseMdast(withDefinitions(text), { isMdx, hasIndentedCode: !isNested });
  return { original, text, root, isNested };
}

/** With a target for each link that names one. */
function withDefinitions(text: string): string {
  const labels = new Set<string>();
  for (const { 1: after, 2: before, index } of text.matchAll(REFERENCE)) {
    const opening = after === undefined ? index : text.lastIndexOf('[', index);
    if (!INDEXED.test(text.charAt(opening - 1))) labels.add(after ?? before ?? '');
  }
  return labels.size === 0 ? text : `${text}\n\n${[...labels].map((label) => `[${label}]: <>\n`).join('')}`;
}
