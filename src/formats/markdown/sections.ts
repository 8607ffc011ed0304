import type { Heading, Nodes, Root } from 'mdast';
import type { Breadcrumb, Subtype } from '../../domain/passage.js';
import type { Lines } from '../cutting/lines.js';
import { endOf, isParent, startOf } from '../cutting/nodes.js';
import { type Block, type HeadedSection, headingOf } from '../cutting/section.js';
import { trimmed } from '../cutting/trimmed.js';
import { nameInImages } from '../name-in-images.js';
import type { Range } from '../range.js';
import { isTab } from './flavours/generators/docfx.js';
import { Innermost } from './innermost.js';
import { readableText } from './readable-text.js';

/** Tabs are below any heading, and beside each other. */
const TAB_DEPTH = 7;

/** The characters before a heading in a quotation. */
const QUOTED = /^[ \t]*>/m;

/** A heading or a block, in document order. `section` numbers the sections. */
interface Item {
  readonly node: Nodes;
  readonly start: number;
  readonly breadcrumb: Breadcrumb;
  readonly section: number;
  /** The text of a heading. */
  readonly text?: string;
  /** Whether it is a heading in a box. */
  readonly isInBox?: boolean;
}

interface DocumentText {
  readonly source: string;
  readonly lines: Lines;
  /** Boxes such as admonitions: as in a quotation, a heading in one heads nothing after it. */
  readonly boxes: readonly Range[];
}

/**
 * The sections of a document. Together, their headings and blocks cover the whole text except front matter and
 * whitespace: a blockquote or list marker between two of them belongs to a block.
 */
export function sectionsOf(root: Root, text: DocumentText): HeadedSection[] {
  const { source } = text;
  const items = itemsOf(root, text);
  // A list marker may be on a line before everything that the list contains.
  if (items[0]) items[0] = { ...items[0], start: frontMatterEnd(root) };
  const sections: HeadedSection[] = [];
  let blocks: Block[] = [];
  for (const [i, item] of items.entries()) {
    const next = items[i + 1]?.start ?? source.length;
    const previous = items[i - 1];
    if (item.section !== previous?.section) {
      blocks = [];
      const slice = trimmed(source, item.start, next);
      const heading = item.node.type === 'heading' && {
        ...slice,
        depth: depthOf(item.node),
        text: item.text ?? '',
        hasMarkers: slice.end > endOf(item.node),
        isQuoted: item.isInBox || QUOTED.test(source.slice(item.start, startOf(item.node))),
      };
      const found = heading && (heading.text !== '' || heading.hasMarkers || isSeen(item.node, source));
      sections.push({ breadcrumb: item.breadcrumb, blocks, ...(found && { heading, headingStart: heading.start }) });
    }
    if (item.node.type === 'heading') continue;
    const after =
      previous?.section === item.section && previous.node.type === 'heading' ? endOf(previous.node) : item.start;
    blocks.push({ ...trimmed(source, after, next), subtype: subtypeOf(item.node), node: item.node });
  }
  return sections;
}

function itemsOf(root: Root, { source, lines, boxes }: DocumentText): Item[] {
  const items: Item[] = [];
  const innermost = new Innermost(boxes);
  let section = 0;

  function walk(parent: Nodes, above: Breadcrumb): void {
    // Headings of this container only: a heading in a blockquote does not head what follows the blockquote.
    const stack: { readonly depth: number; readonly breadcrumb: Breadcrumb; readonly box: Range | undefined }[] = [];
    const breadcrumb = () => stack.at(-1)?.breadcrumb ?? above;
    let reached = 0;
    for (const node of isParent(parent) ? parent.children : []) {
      if (isFrontMatter(node)) continue;
      // In mdast a setext heading begins with the definitions before it, which are also nodes of their own.
      const overlaps = startOf(node) < reached;
      const lineStart = overlaps ? reached : lines.startOf(startOf(node));
      reached = Math.max(reached, endOf(node));
      const box = innermost.at(startOf(node));
      while ((stack.at(-1)?.box?.end ?? Number.POSITIVE_INFINITY) <= startOf(node)) {
        stack.pop();
        section++;
      }
      if (node.type === 'heading') {
        const depth = depthOf(node);
        while ((stack.at(-1)?.depth ?? 0) >= depth && stack.at(-1)?.box === box) stack.pop();
        const text = headingText(node, source);
        const own = text === '' ? breadcrumb() : [...breadcrumb(), text];
        stack.push({ depth, breadcrumb: own, box });
        section++;
        items.push({ node, start: lineStart, breadcrumb: own, section, text, isInBox: box !== undefined });
      } else if (containsHeading(node)) {
        walk(node, breadcrumb());
        section++;
      } else {
        const start = parent === root && !overlaps ? startOf(node) : lineStart;
        items.push({ node, start, breadcrumb: breadcrumb(), section });
        // A rule ends the last of several tabs.
        if (node.type === 'thematicBreak' && stack.at(-1)?.depth === TAB_DEPTH) {
          stack.pop();
          section++;
        }
      }
    }
  }

  walk(root, []);
  return items;
}

function depthOf(heading: Heading): number {
  return isTab(heading) ? TAB_DEPTH : heading.depth;
}

function frontMatterEnd(root: Root): number {
  const [first] = root.children;
  return first && isFrontMatter(first) ? endOf(first) : 0;
}

/** remark-frontmatter also creates TOML nodes, which the types of mdast lack. */
function isFrontMatter({ type }: { type: string }): boolean {
  return type === 'yaml' || type === 'toml';
}

function containsHeading(node: Nodes): boolean {
  if (node.type === 'heading') return true;
  const container = ['blockquote', 'list', 'listItem', 'footnoteDefinition'].includes(node.type);
  return container && isParent(node) && node.children.some(containsHeading);
}

/** A heading on one line, without markup; images name it only if it has no words. */
export function headingText(node: Heading, source: string): string {
  const range = { start: startOf(node), end: endOf(node), source };
  return headingOf(readableText(node, { ...range, images: false }) || nameInImages(readableText(node, range)));
}

/** Whether there is anything to read of a node: a heading may have an image that names nothing. */
function isSeen(node: Nodes, source: string): boolean {
  return readableText(node, { start: startOf(node), end: endOf(node), source }) !== '';
}

function subtypeOf(node: Nodes): Subtype {
  switch (node.type) {
    case 'list':
    case 'listItem':
      return 'list';
    case 'blockquote':
    case 'table':
    case 'code':
      return node.type;
    case 'paragraph':
      return node.children.every(isImageOrBlank) ? 'image' : 'paragraph';
    default:
      return 'paragraph';
  }
}

function isImageOrBlank(node: Nodes): boolean {
  if (node.type === 'text') return node.value.trim() === '';
  if (node.type === 'link') return node.children.every(isImageOrBlank);
  return node.type === 'image' || node.type === 'imageReference' || node.type === 'break';
}
