import type { Nodes, Parent, Root } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { type Processor, unified } from 'unified';

const processor = unified()
  .use(remarkParse)
  .use(remarkFrontmatter, ['yaml', 'toml'])
  .use(remarkGfm)
  .use(withoutBareAddresses)
  .freeze();

/**
 * Takes the search for bare addresses out of GFM: as text they read the same, the search costs a third of the parse,
 * and the links that it makes after the parse have no position.
 */
function withoutBareAddresses(this: Processor): void {
  const data = this.data();
  for (const { text = {} } of data.micromarkExtensions ?? []) {
    for (const [code, constructs] of Object.entries(text)) {
      const others = [constructs ?? []].flat().filter(({ name }) => !name?.endsWith('Autolink'));
      if (others.length > 0) text[code] = others;
      else delete text[code];
    }
  }
  data.fromMarkdownExtensions = data.fromMarkdownExtensions?.flat().filter(({ transforms }) => !transforms) ?? [];
}

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
