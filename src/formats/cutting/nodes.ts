import type { Nodes, Parent } from 'mdast';

/** UTF-16 offset of a node's first code unit. */
export function startOf(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}

/** UTF-16 offset just past a node's last code unit. */
export function endOf(node: Nodes): number {
  return node.position?.end.offset ?? 0;
}

/** Whether a node can have children. */
export function isParent(node: Nodes): node is Extract<Nodes, Parent> {
  return 'children' in node;
}

const CONTAINERS: ReadonlySet<string> = new Set(['list', 'listItem', 'blockquote', 'footnoteDefinition']);

/** Whether a node is a block of other blocks. */
export function isContainer(node: Nodes): node is Extract<Nodes, Parent> {
  return CONTAINERS.has(node.type) && isParent(node);
}

/** The last block in a container: the paragraph that ends a list, for example. */
export function lastBlock(node: Nodes): Nodes {
  let last = node;
  while (isContainer(last) && last.children.length > 0) last = last.children.at(-1) as Nodes;
  return last;
}

const NONE: readonly Nodes[] = [];

/** The children of a node that overlap [start, end), by binary search: children are in order and do not overlap. */
export function childrenWithin(node: Nodes, start: number, end: number): readonly Nodes[] {
  const children = isParent(node) ? node.children : NONE;
  const [first, last] = [children[0], children.at(-1)];
  // Most nodes are in the range as a whole: no array is made for them.
  if (!first || !last || (endOf(first) > start && endOf(last) <= end)) return children;
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
