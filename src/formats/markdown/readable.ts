import type { Nodes } from 'mdast';
import { decodeString } from 'micromark-util-decode-string';
import { childrenWithin, endOf, startOf } from './mdast.js';

/** What stands in these stands on lines of its own; everything else runs on. */
const FLOW = new Set(['root', 'blockquote', 'list', 'listItem', 'footnoteDefinition', 'table']);

/** `[!NOTE]` and `:::tip Title` name a kind of admonition: the word is worth reading, the marks are not. */
const ADMONITION = /^[ \t]*(?:\[!(\w+)\]|:{3,}[ \t]*(\w*))/gm;

/** Of HTML: comments, what a browser runs or styles by, tags. */
const UNREAD = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*>/gi;

/** Docusaurus and VitePress anchors at the end of a heading: `## Limits {#limits}`. */
const ANCHOR = /\s*\{#[\w.:-]+\}\s*$/;

/**
 * What a reader sees of the part [start, end) of a document: no marks, addresses, tags, comments or definitions; code
 * as it is, the cells of a row with bars between them. A node that is cut by the part gives what lies inside.
 */
export function readableText(
  root: Nodes,
  { start, end, source }: { start: number; end: number; source: string },
): string {
  const parts: string[] = [];
  collect(root, { start, end, source, parts });
  return withLineFeeds(parts.join(''))
    .replace(ADMONITION, (_, alert?: string, container?: string) => alert ?? container ?? '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

/** The mark of a quote on a further line of a literal that stands in it. */
const QUOTE_MARK = /^[ \t]*>[ \t]?/gm;

/** Characters looked at for the marker of a fence, so that a cut fence is not read in full for each part. */
const LONGEST_MARKER = 200;

/** A text with all its lines ended by a line feed, so that a file with CRLF is embedded as one without. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly source: string;
  readonly parts: string[];
}

function collect(node: Nodes, part: Part): void {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'code':
      part.parts.push(clip(node, node.value, part));
      break;
    case 'html':
      part.parts.push(clip(node, node.value, part).replace(UNREAD, ' '));
      break;
    case 'image':
    case 'imageReference':
      part.parts.push(node.alt ?? '');
      break;
    case 'break':
      part.parts.push('\n');
      break;
    case 'heading': {
      const parts: string[] = [];
      for (const child of childrenWithin(node, part.start, part.end)) collect(child, { ...part, parts });
      part.parts.push(parts.join('').replace(ANCHOR, ''));
      break;
    }
    case 'tableRow':
      for (const [i, cell] of childrenWithin(node, part.start, part.end).entries()) {
        if (i > 0) part.parts.push(' | ');
        collect(cell, part);
      }
      break;
    default:
      for (const child of childrenWithin(node, part.start, part.end)) {
        collect(child, part);
        if (FLOW.has(node.type)) part.parts.push('\n');
      }
  }
}

/** A literal's value, or where the part cuts it, that part of the source without fences, marks of quotes and escapes. */
function clip(node: Nodes, value: string, { start, end, source }: Part): string {
  if (start <= startOf(node) && endOf(node) <= end) return value;
  const inside = node.type === 'code' ? insideFence(node, source) : { start: startOf(node), end: endOf(node) };
  const from = Math.max(start, inside.start);
  const raw = source.slice(from, Math.max(from, Math.min(end, inside.end)));
  if (node.type === 'code') return raw;
  const startsLine = /[\n\r]/.test(source.charAt(from - 1));
  const unquoted = raw.replace(QUOTE_MARK, (mark, i) => (i > 0 || startsLine ? '' : mark));
  return node.type === 'text' ? decodeString(unquoted) : unquoted;
}

/** Where code starts and ends without the markers of its fence; all of it where it has none. */
function insideFence(code: Nodes, source: string): { start: number; end: number } {
  const start = startOf(code);
  const end = endOf(code);
  const marker = /^(?:`{3,}|~{3,})/.exec(source.slice(start, start + LONGEST_MARKER))?.[0];
  if (!marker) return { start, end };
  const firstLine = source.slice(start, end).search(/[\n\r]|$/);
  const tail = source.slice(Math.max(start + firstLine, end - LONGEST_MARKER), end);
  const closing = /[\n\r][ \t>]*([`~]+)[ \t]*$/.exec(tail);
  return { start: start + firstLine, end: closing?.[1]?.startsWith(marker) ? end - closing[0].length : end };
}
