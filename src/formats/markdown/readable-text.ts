import { decodeHTML } from 'entities';
import type { Image, ImageReference, Nodes } from 'mdast';
import { decodeString } from 'micromark-util-decode-string';
import { withoutBlankLines } from '../cutting/lines.js';
import { childrenWithin, endOf, startOf } from '../cutting/nodes.js';
import { withoutHidden } from '../hidden.js';
import { altOf } from './alt-text.js';
import { closingFence, fencedCode } from './fenced-code.js';
import { titleWithin } from './title-of-code.js';
import { runsOn } from './visible/tags-of-html.js';

/** Each child of these nodes is on lines of its own; the children of all others run on. */
export const FLOW: ReadonlySet<string> = new Set([
  'root',
  'blockquote',
  'list',
  'listItem',
  'footnoteDefinition',
  'table',
]);

/** HTML that a reader does not see: comments, scripts, styles, tags. Also what follows `<` if no `>` does. */
const INVISIBLE_HTML = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*(?:>|$)/gi;

/** What hides all that follows it if it is not ended. */
const HIDES_REST = /<!--|<(?:script|style)\b/i;

/**
 * What a reader sees of the range [start, end) of a document: no markup, URLs, tags, comments or definitions. Code
 * stays as it is, below its title; the cells of a table row are separated by bars. A node that the range cuts
 * contributes the part inside. Without `images`, their alternative texts are left out.
 */
export function readableText(
  root: Nodes,
  { start, end, source, images = true }: { start: number; end: number; source: string; images?: boolean },
): string {
  const reading = { start, end, source, images, text: '' };
  collect(root, reading);
  return withoutBlankLines(withoutHidden(reading.text));
}

const BLANKS = /[ \t]{2,}/g;

/** The blockquote marker on a continuation line of a literal. */
const QUOTE_MARKER = /^[ \t]*>[ \t]?/gm;

/** The most characters before a block on its line that are read. */
const LONGEST_PREFIX = 100;

interface Reading {
  readonly start: number;
  readonly end: number;
  readonly source: string;
  readonly images: boolean;
  /** What has been read. */
  text: string;
}

function collect(node: Nodes, reading: Reading): void {
  switch (node.type) {
    case 'text':
      reading.text += withoutHidden(clip(node, node.value, reading)).replace(BLANKS, ' ');
      break;
    case 'code':
      reading.text += `${titleWithin(node, reading)}\n`;
      reading.text += clip(node, node.value, reading);
      break;
    case 'inlineCode':
      reading.text += clip(node, node.value, reading);
      break;
    case 'html':
      reading.text += readOfHtml(clip(node, node.value, reading), reading);
      break;
    case 'image':
    case 'imageReference':
      if (reading.images) reading.text += altWithin(node, reading);
      break;
    case 'break':
      reading.text += '\n';
      break;
    default:
      collectChildren(node, reading);
  }
}

function collectChildren(node: Nodes, reading: Reading): void {
  const isRow = node.type === 'tableRow';
  const isFlow = FLOW.has(node.type);
  let isFirst = true;
  for (const child of childrenWithin(node, reading.start, reading.end)) {
    if (isRow && !isFirst) reading.text += ' | ';
    isFirst = false;
    collect(child, reading);
    if (isFlow) reading.text += '\n';
  }
}

/** The alternative text of an image, or about the part of it within the range: marks in it count as text. */
function altWithin(node: Image | ImageReference, { start, end }: Reading): string {
  const at = startOf(node) + '!['.length;
  return (node.alt ?? '').slice(Math.max(0, start - at), Math.max(0, end - at));
}

/** The text between the tags, and that of images. Decoded last: `&lt;b&gt;` is text, not a tag. */
function readOfHtml(html: string, { images }: Reading): string {
  const seenOf = (tag: string) => {
    if (!tag.endsWith('>')) {
      const from = tag.search(HIDES_REST);
      if (from !== 0) return from < 0 ? tag : tag.slice(0, from);
    }
    const alt = images && altOf(tag)?.text;
    return alt ? ` ${alt} ` : runsOn(tag) ? '' : ' ';
  };
  return decodeHTML(html.replace(INVISIBLE_HTML, seenOf));
}

/**
 * A literal's value, or if the range cuts it, its source within the range without fences, quote markers and escapes.
 */
function clip(node: Nodes, value: string, { start, end, source }: Reading): string {
  if (start <= startOf(node) && endOf(node) <= end) return value;
  const inside = node.type === 'code' ? insideFence(node, source) : { start: startOf(node), end: endOf(node) };
  const from = Math.max(start, inside.start);
  const raw = source.slice(from, Math.max(from, Math.min(end, inside.end)));
  if (node.type === 'code') return withoutQuotes(raw, node, source);
  const startsLine = /[\n\r]/.test(source.charAt(from - 1));
  const unquoted = raw.replace(QUOTE_MARKER, (marker, i) => (i > 0 || startsLine ? '' : marker));
  return node.type === 'text' ? decodeString(unquoted) : unquoted;
}

/** Lines of code without the marks of the quotes that the code is in: others are its own. */
function withoutQuotes(lines: string, code: Nodes, source: string): string {
  const before = source.slice(Math.max(0, startOf(code) - LONGEST_PREFIX), startOf(code));
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  const levels = before.slice(lineStart).split('>').length - 1;
  return levels === 0 ? lines : lines.replace(new RegExp(`^(?:[ \\t]*>[ \\t]?){1,${levels}}`, 'gm'), '');
}

/** The range of a code block without its fences; all of it if it is indented code. */
function insideFence(code: Nodes, source: string): { start: number; end: number } {
  const end = endOf(code);
  const fenced = fencedCode(code, source);
  if (!fenced) return { start: startOf(code), end };
  return { start: fenced.start, end: closingFence(fenced, { end, source }) ?? end };
}
