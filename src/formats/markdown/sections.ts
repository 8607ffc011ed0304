import type { Heading, Nodes, Root } from 'mdast';
import type { Breadcrumb, Subtype } from '../../domain/passage.js';
import type { Lines } from './lines.js';
import { endOf, isParent, startOf } from './mdast.js';
import { readableText } from './readable.js';

/** A top-level block, or one out of a list or quote that holds headings. */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly subtype: Subtype;
  /** Missing where the text was not parsed: such a block is cut at lines. */
  readonly node?: Nodes;
}

/** What stands under one heading, up to the next; or before the first. */
export interface Section {
  /** The headings above the section's blocks, its own last. */
  readonly breadcrumb: Breadcrumb;
  readonly heading?: {
    readonly start: number;
    readonly end: number;
    readonly depth: number;
    readonly text: string;
    /** Whether marks of a quote or list are left over behind it: they have no other place to go. */
    readonly marks: boolean;
  };
  readonly blocks: readonly Block[];
}

/** A heading or block in document order; `section` changes where the breadcrumb does. */
interface Item {
  readonly node: Nodes;
  readonly start: number;
  readonly breadcrumb: Breadcrumb;
  readonly section: number;
}

/**
 * The sections of a document. Their headings and blocks, laid end to end, make up the whole text but for front matter
 * and blank space: marks of a quote or list between two of them belong to a block.
 */
export function sectionsOf(root: Root, { source, lines }: { source: string; lines: Lines }): Section[] {
  const items = itemsOf(root, { source, lines });
  // The marks of a list may stand on a line before all that is in it.
  if (items[0]) items[0] = { ...items[0], start: frontMatterEnd(root) };
  const sections: Section[] = [];
  let blocks: Block[] = [];
  for (const [i, item] of items.entries()) {
    const next = items[i + 1]?.start ?? source.length;
    const previous = items[i - 1];
    if (item.section !== previous?.section) {
      blocks = [];
      const slice = trimmed(source, item.start, next);
      const heading = item.node.type === 'heading' && {
        ...slice,
        depth: item.node.depth,
        text: headingText(item.node, source),
        marks: slice.end > endOf(item.node),
      };
      const found = heading && (heading.text !== '' || heading.marks);
      sections.push({ breadcrumb: item.breadcrumb, blocks, ...(found && { heading }) });
    }
    if (item.node.type === 'heading') continue;
    const after =
      previous?.section === item.section && previous.node.type === 'heading' ? endOf(previous.node) : item.start;
    blocks.push({ ...trimmed(source, after, next), subtype: subtypeOf(item.node), node: item.node });
  }
  return sections;
}

function itemsOf(root: Root, { source, lines }: { source: string; lines: Lines }): Item[] {
  const items: Item[] = [];
  let section = 0;

  function walk(parent: Nodes, above: Breadcrumb): void {
    // Headings of this container only: one inside a quote says nothing of what follows the quote.
    const stack: { depth: number; text: string }[] = [];
    const breadcrumb = () => [...above, ...stack.map(({ text }) => text)].filter((text) => text !== '');
    let reached = 0;
    for (const node of isParent(parent) ? parent.children : []) {
      if (isFrontMatter(node)) continue;
      // To the parser an underlined heading begins with the definitions in front of it, which are nodes of their own.
      const overlaps = startOf(node) < reached;
      const lineStart = overlaps ? reached : lines.startOf(startOf(node));
      reached = Math.max(reached, endOf(node));
      if (node.type === 'heading') {
        while ((stack.at(-1)?.depth ?? 0) >= node.depth) stack.pop();
        stack.push({ depth: node.depth, text: headingText(node, source) });
        section++;
        items.push({ node, start: lineStart, breadcrumb: breadcrumb(), section });
      } else if (holdsHeading(node)) {
        walk(node, breadcrumb());
        section++;
      } else {
        const start = parent === root && !overlaps ? startOf(node) : lineStart;
        items.push({ node, start, breadcrumb: breadcrumb(), section });
      }
    }
  }

  walk(root, []);
  return items;
}

function frontMatterEnd(root: Root): number {
  const [first] = root.children;
  return first && isFrontMatter(first) ? endOf(first) : 0;
}

/** remark-frontmatter makes TOML nodes too, which mdast's own types do not know. */
function isFrontMatter({ type }: { type: string }): boolean {
  return type === 'yaml' || type === 'toml';
}

function holdsHeading(node: Nodes): boolean {
  if (node.type === 'heading') return true;
  const container = ['blockquote', 'list', 'listItem', 'footnoteDefinition'].includes(node.type);
  return container && isParent(node) && node.children.some(holdsHeading);
}

/** Characters of a heading that are read: each passage below it has them, and a text may be one heading. */
const LONGEST_HEADING = 1000;

/** A heading in one line, without marks. */
export function headingText(node: Heading, source: string): string {
  const text = readableText(node, { start: startOf(node), end: endOf(node), source }).replace(/\s+/g, ' ');
  return text.length <= LONGEST_HEADING ? text : text.slice(0, LONGEST_HEADING).toWellFormed();
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

/** [start, end) without blank lines and space around it; the indentation of its first line stays. */
export function trimmed(source: string, start: number, end: number): { start: number; end: number } {
  const slice = source.slice(start, end);
  const [space = ''] = slice.match(/^\s*/) ?? [];
  const lineBreak = Math.max(space.lastIndexOf('\n'), space.lastIndexOf('\r'));
  const indented = lineBreak >= 0 || start === 0 || /[\n\r]/.test(source.charAt(start - 1));
  const from = start + (indented ? lineBreak + 1 : space.length);
  const to = start + slice.trimEnd().length;
  return to <= from ? { start: from, end: from } : { start: from, end: to };
}
