import type { Nodes, Parent, Root } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const processor = unified().use(remarkParse).use(remarkFrontmatter, ['yaml', 'toml']).use(remarkGfm).freeze();

/** The syntax tree of a markdown text that has no byte order mark; offsets are UTF-16 code units of that text. */
export function parseMdast(text: string): Root {
  return processor.parse(text);
}

export function startOf(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}

export function endOf(node: Nodes): number {
  return node.position?.end.offset ?? 0;
}

export function isParent(node: Nodes): node is Extract<Nodes, Parent> {
  return 'children' in node;
}

/** The children of a node that overlap [start, end), found by bisection: they stand in order and do not overlap. */
export function childrenWithin(node: Nodes, start: number, end: number): Nodes[] {
  if (!isParent(node)) return [];
  const children: readonly Nodes[] = node.children;
  let low = 0;
  let high = children.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const child = children[middle];
    if (child && endOf(child) <= start) low = middle + 1;
    else high = middle;
  }
  const within: Nodes[] = [];
  for (let child = children[low]; child && startOf(child) < end; child = children[++low]) within.push(child);
  return within;
}
