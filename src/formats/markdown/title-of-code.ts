import type { Nodes } from 'mdast';
import { decodeString } from 'micromark-util-decode-string';
import { startOf } from '../cutting/nodes.js';
import type { Range } from '../range.js';
import { fencedCode } from './fenced-code.js';

/** The most characters of the line of a fence that are read. */
const LONGEST = 500;

/** After blanks or braces. `name="a"`, `name='a'`; an unquoted `file=a` names what is included. */
const ATTRIBUTE = '(?<![\\w-])(?:title|filename|file(?==["\'])|name|caption)=(?:"([^"]*)"|\'([^\']*)\'|([^\\s"\'{}]+))';

/** `[app.vue]`, which may have brackets: `[pages/[id].vue]`. */
const BRACKETS = '(?<![^\\s}])\\[((?:[^[\\]]|\\[[^[\\]]*\\])*)\\]';

/** What to mark in the code: a string, an expression. Nothing in it is a title. */
const MARKED = '"(?:[^"\\\\]|\\\\.)*"|\'[^\']*\'|(?<=\\s)/(?:[^/\\\\]|\\\\.)+/';

const TITLES = new RegExp(`${ATTRIBUTE}|${BRACKETS}|${MARKED}`, 'dg');

/** Ranges of lines have none: `[1,3-4]`. */
const LETTER = /\p{L}/u;

/** Backslashes that keep a bracket from ending the title. */
const ESCAPES = /\\+(?=[[\]])/g;

/**
 * The title that a reader sees above a code block: after the opening fence, `title="a.js"` and its kind, or `[a.js]`.
 * It has several parts where marks in it are not seen, and none if there is no title.
 */
export function titleOfCode(code: Nodes, source: string): readonly Range[] {
  const fenced = fencedCode(code, source);
  if (!fenced) return [];
  const at = fenced.start - fenced.opening.length;
  const marks = /^(.)\1*/.exec(fenced.opening)?.[0].length ?? 0;
  for (const match of fenced.opening.slice(marks, LONGEST).matchAll(TITLES)) {
    const group = match.findIndex((each, i) => i > 0 && each !== undefined && LETTER.test(each));
    const [start, end] = (group > 0 && match.indices?.[group]) || [0, 0];
    if (end > 0) return partsOf(source, { start: at + marks + start, end: at + marks + end });
  }
  return [];
}

/** What is read of the title of a code block within a range. */
export function titleWithin(code: Nodes, { start, end, source }: Range & { readonly source: string }): string {
  if (start > startOf(code) + LONGEST) return '';
  const parts = titleOfCode(code, source);
  return textOfTitle(
    parts.map((part) => ({ start: Math.max(start, part.start), end: Math.min(end, part.end) })),
    source,
  );
}

/** What is read of the parts of a title. */
export function textOfTitle(parts: readonly Range[], source: string): string {
  return parts.map(({ start, end }) => decodeString(source.slice(start, end))).join('');
}

function partsOf(source: string, { start, end }: Range): Range[] {
  const parts: Range[] = [];
  let at = start;
  for (const { index, 0: escapes } of source.slice(start, end).matchAll(ESCAPES)) {
    parts.push({ start: at, end: start + index });
    at = start + index + escapes.length;
  }
  return [...parts, { start: at, end }].filter((part) => part.end > part.start);
}
