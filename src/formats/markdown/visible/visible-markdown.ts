import type { Code, Image, ImageReference, InlineCode, Nodes, TableRow } from 'mdast';
import { endOf, isParent, startOf } from '../../cutting/nodes.js';
import { type See, type VisibleText, VisibleTextBuilder } from '../../visible-text.js';
import { FLOW } from '../readable-text.js';
import { titleOfCode } from '../title-of-code.js';
import { readPart } from './part.js';
import { showHtml, showText } from './visible-characters.js';

/** What a part of a markdown file is read with. */
interface Reading {
  readonly original: string;
  readonly source: string;
  readonly seen: VisibleTextBuilder;
}

/** What a reader sees of a part of a markdown file. */
export const seeMarkdown: See = (source) => see(source, { mdx: false });

/** What a reader sees of a part of an MDX file. */
export const seeMdx: See = (source) => see(source, { mdx: true });

function see(original: string, { mdx }: { readonly mdx: boolean }): VisibleText | undefined {
  const part = readPart(original, { mdx });
  if (!part) return undefined;
  const seen = new VisibleTextBuilder(part.text);
  showNode(part.root, { original: part.original, source: part.text, seen });
  return seen;
}

function showNode(node: Nodes, reading: Reading): void {
  const { seen } = reading;
  switch (node.type) {
    case 'text':
      showText(reading, { start: startOf(node), end: endOf(node) });
      break;
    case 'inlineCode':
      showInlineCode(node, reading);
      break;
    case 'code':
      showCode(node, reading);
      break;
    case 'html':
      showHtml(reading, { start: startOf(node), end: endOf(node) });
      break;
    case 'image':
    case 'imageReference':
      showAlt(node, reading);
      break;
    case 'break':
      seen.separate('\n');
      break;
    case 'tableRow':
      showRow(node, reading);
      break;
    case 'paragraph':
    case 'heading':
      showChildren(node, reading);
      seen.separate('\n');
      break;
    default:
      showChildren(node, reading);
  }
}

function showChildren(node: Nodes, reading: Reading): void {
  for (const child of isParent(node) ? node.children : []) {
    showNode(child, reading);
    if (child.type === 'html' && FLOW.has(node.type)) reading.seen.separate('\n');
  }
}

function showRow(row: TableRow, reading: Reading): void {
  for (const [i, cell] of row.children.entries()) {
    if (i > 0) reading.seen.separate(' | ');
    showChildren(cell, reading);
  }
  reading.seen.separate('\n');
}

function showInlineCode(node: InlineCode, reading: Reading): void {
  const [start, end] = [startOf(node), endOf(node)];
  // A displayed formula is on lines of its own.
  const isBlock = reading.original.startsWith('$$', start);
  const ticks = /^`*/.exec(reading.source.slice(start, end))?.[0].length ?? 0;
  if (isBlock) reading.seen.separate('\n');
  reading.seen.asCode(() => showText(reading, { start: start + ticks, end: end - ticks, isLiteral: true }));
  if (isBlock) reading.seen.separate('\n');
}

/**
 * The title, and each line separately. In the tree, a line has no indentation and no marks of quotes: it is the end of
 * the line in the source.
 */
function showCode(node: Code, reading: Reading): void {
  const { source, seen } = reading;
  const title = titleOfCode(node, source);
  seen.asCode(() => {
    for (const part of title) showText(reading, part);
  });
  if (title.length > 0) seen.separate('\n');
  const lines = node.value.split(/\r\n?|\n/);
  const isFenced = /[`~]/.test(source.charAt(startOf(node)));
  const raw = source.slice(startOf(node), endOf(node)).matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g);
  let at = isFenced ? -1 : 0;
  for (const { 1: line = '', index } of raw) {
    const text = lines[at++]?.trim();
    if (!text) continue;
    const end = startOf(node) + index + line.trimEnd().length;
    const start = end - text.length;
    if (source.startsWith(text, start)) seen.asCode(() => showText(reading, { start, end, isLiteral: true }));
    seen.separate('\n');
  }
}

function showAlt(node: Image | ImageReference, { source, seen }: Reading): void {
  const start = startOf(node) + '!['.length;
  if (node.alt && source.startsWith(node.alt, start)) seen.show(start, start + node.alt.length);
}
