import type { Nodes } from 'mdast';
import { childrenWithin, endOf, startOf } from './mdast.js';

/** What stands in these stands on lines of its own; everything else runs on. */
const FLOW = new Set(['root', 'blockquote', 'list', 'listItem', 'footnoteDefinition', 'table']);

/** `[!NOTE]` and `:::tip Title` name a kind of admonition: the word is worth reading, the marks are not. */
const ADMONITION = /^[ \t]*(?:\[!(\w+)\]|:{3,}[ \t]*(\w*))/gm;

/** Docusaurus and VitePress anchors at the end of a heading: `## Limits {#limits}`. */
const ANCHOR = /[ \t]*\{#[\w.:-]+\}[ \t]*$/gm;

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
    .replace(ANCHOR, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

const FENCE = /^(?:`{3,}|~{3,})/;
const LONGEST_FENCE = 100;

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
      part.parts.push(clip(node, node.value, part).replace(/<!--[\s\S]*?(?:-->|$)|<[^>]*>/g, ' '));
      break;
    case 'image':
    case 'imageReference':
      part.parts.push(node.alt ?? '');
      break;
    case 'break':
      part.parts.push('\n');
      break;
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

/** A literal's value, or where the part cuts it, that part of the source without fences and the marks of quotes. */
function clip(node: Nodes, value: string, { start, end, source }: Part): string {
  const from = Math.max(start, startOf(node));
  const to = Math.min(end, endOf(node));
  if (from === startOf(node) && to === endOf(node)) return value;
  let raw = source.slice(from, to);
  if (node.type !== 'code') return raw.replace(/([\n\r])[ \t]*>[ \t]?/g, '$1');
  const fence = FENCE.exec(source.slice(startOf(node), startOf(node) + LONGEST_FENCE))?.[0];
  if (fence && from === startOf(node)) raw = raw.replace(/^[^\n\r]*/, '');
  const lastLine = Math.max(raw.lastIndexOf('\n'), raw.lastIndexOf('\r')) + 1;
  const closed = fence && to === endOf(node) && /^[ \t>]*(.*)$/.exec(raw.slice(lastLine))?.[1]?.startsWith(fence);
  return closed ? raw.slice(0, lastLine) : raw;
}
