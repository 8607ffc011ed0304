import type { Nodes } from 'mdast';
import { childrenWithin, endOf, startOf } from './mdast.js';

/** Blocks stand on lines of their own; everything else runs on. */
const BLOCKS = new Set(['paragraph', 'heading', 'code', 'list', 'listItem', 'table', 'tableRow', 'blockquote', 'html']);

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
  return parts
    .join('')
    .replace(ADMONITION, (_, alert?: string, container?: string) => alert ?? container ?? '')
    .replace(ANCHOR, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly source: string;
  readonly parts: string[];
}

function collect(node: Nodes, part: Part): void {
  const block = BLOCKS.has(node.type);
  if (block) part.parts.push('\n');
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
      for (const child of childrenWithin(node, part.start, part.end)) collect(child, part);
  }
  if (block) part.parts.push('\n');
}

/** A literal's value, or where the part cuts it, that part of the source without fences and quote marks. */
function clip(node: Nodes, value: string, { start, end, source }: Part): string {
  const from = Math.max(start, startOf(node));
  const to = Math.min(end, endOf(node));
  if (from === startOf(node) && to === endOf(node)) return value;
  const raw = source.slice(from, to);
  if (node.type === 'code') return raw.replace(/^[ \t>]*(`{3,}|~{3,}).*$/gm, '');
  return raw.replace(/\n[ \t]*>[ \t]?/g, '\n');
}
