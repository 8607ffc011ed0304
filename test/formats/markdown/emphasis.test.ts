import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { parseMdast } from '#src/formats/markdown/parse-mdast.js';

const remark = unified().use(remarkParse).use(remarkGfm);

const pieces = fc.array(
  fc.constantFrom('*', '**', '***', '_', '__', '~', '~~', 'a', 'b', ' ', '.', '\n', '[', '](c)'),
  {
    maxLength: 25,
  },
);

test('emphasis, strong and struck text are those of remark', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      // Remark pairs what is left of a run of four again once another pair surrounds it.
      fc.pre(!/(.)\1{3}/.test(text));
      expect(parseMdast(text, { isMdx: false })).toEqual(remark.parse(text));
    }),
    {
      numRuns: 1000,
      examples: [
        [['*', 'a', '_', 'b', '*', '_']],
        [['***', 'a', '**', 'b', '*']],
        [['~', 'a', '*', 'b', '~', '*']],
        [['*', '[', '*', 'a', '](c)', '*']],
      ],
    },
  );
});

test.each([
  ['closing marks without an opening one', 'a* '],
  ['runs that cross', '*a_ '],
  ['closing marks of which some are left over', '*a** '],
  ['struck text that only closes', 'a~ '],
])('a paragraph of 20,000 runs is parsed: %s', (_, piece) => {
  const [paragraph] = parseMdast(piece.repeat(20_000), { isMdx: false }).children;
  expect(paragraph).toMatchObject({ type: 'paragraph', position: { end: { offset: piece.length * 20_000 } } });
});

test('emphasis is parsed to one level more than a file may have, and no deeper', () => {
  const parsed = parseMdast(`${'*a '.repeat(5_000)}${'b* '.repeat(5_000)}`, { isMdx: false });
  expect(JSON.stringify(parsed).match(/"emphasis"/g)).toHaveLength(101);
});
