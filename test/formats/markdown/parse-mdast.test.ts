import fc from 'fast-check';
import type { Nodes } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { childrenWithin, endOf, startOf } from '#src/formats/cutting/nodes.js';
import { frontMatterEnd } from '#src/formats/markdown/front-matter-end.js';
import { parseMdast as parse } from '#src/formats/markdown/parse-mdast.js';

const parseMdast = (text: string) => parse(text, { isMdx: false });

function nodesOf(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesOf) : [])];
}

const constructs =
  'a [b](c) ~~d~~[^1] www.x.y, https://x.y and me@x.y (mailto:me@x.y)\n\n[^1]: - [ ] e\n\n| f |\n| - |\n| g |\n';

test('tables, footnotes, tasks and strikethrough are parsed', () => {
  const types = new Set(nodesOf(parseMdast(constructs)).map(({ type }) => type));
  expect([...types]).toEqual(
    expect.arrayContaining(['table', 'footnoteDefinition', 'footnoteReference', 'delete', 'listItem']),
  );
});

test('tables are those of remark', () => {
  const remark = unified().use(remarkParse).use(remarkGfm);
  // What looks for the end of front matter finds no quotes and lists before it, also where there is no end.
  const remarkWithFrontMatter = unified().use(remarkParse).use(remarkFrontmatter).use(remarkGfm);
  const piece = fc.constantFrom(
    ...['|', '-', ':', '|-|', ':-', '-:', '--', 'a', '|a|', '\\|', ' ', '    ', '\t'],
    ...['\n', '\r\n', '\r', '\n\n', '> ', '\n> ', '- ', '1. ', '\n  ', '[^1]: '],
  );
  const texts = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      expect(parseMdast(text)).toEqual((frontMatterEnd(text) > 0 ? remarkWithFrontMatter : remark).parse(text));
    }),
    {
      numRuns: 500,
      examples: [
        ['---\n> - a'],
        ['---\n\n---\n> a'],
        ['a\n:-'],
        ['|a\n-|'],
        ['> - a|b\n>   -|-'],
        ['1. |a|\r   |-|\r'],
        ['|\n|'],
        ['a\n|-'],
      ],
    },
  );
});

test('a bare URL is text', () => {
  expect(nodesOf(parseMdast(constructs)).filter(({ type }) => type === 'link')).toHaveLength(1);
});

test('every node has a position', () => {
  expect(nodesOf(parseMdast(constructs)).filter(({ position }) => position?.start.offset === undefined)).toEqual([]);
});

test('offsets count UTF-16 code units, tabs as one, CRLF as two', () => {
  const [, second] = parseMdast('\t😀\r\n\r\nb').children;
  expect(second && [startOf(second), endOf(second)]).toEqual([7, 8]);
});

test('the children within a range are those that overlap it', () => {
  const root = parseMdast('a\n\nb\n\nc\n\nd');
  const within = (start: number, end: number) => childrenWithin(root, start, end).map(startOf);
  expect(within(0, 10)).toEqual([0, 3, 6, 9]);
  expect(within(1, 9)).toEqual([3, 6]);
  expect(within(1, 3)).toEqual([]);
  expect(within(3, 4)).toEqual([3]);
});
