import path from 'node:path';
import { expect, test } from 'vitest';
import loadCounter from '#src/embed/tokenizer.js';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { contents, options, outline } from './counting.js';

/** Where each passage is: offsets, then lines. */
function positions(text: string) {
  return parseMarkdown(text, options()).passages.map(({ start, end, startLine, endLine }) => [
    start,
    end,
    startLine,
    endLine,
  ]);
}

test.each(['', ' ', '\n', '\r\n\t \r\n', '\uFEFF', '\uFEFF\n', '\u00A0\u3000\n'])(
  '%j gives no passage and no warning',
  (text) => {
    expect(parseMarkdown(text, options())).toEqual({
      title: undefined,
      tags: {},
      metadata: {},
      passages: [],
      warnings: [],
    });
  },
);

test('a passage has its range in code units and lines of the file', () => {
  expect(parseMarkdown('# A\n\nfirst\nsecond\n\n## B\n\nthird\n', options())).toEqual({
    title: 'A',
    tags: {},
    metadata: {},
    passages: [
      {
        position: 0,
        start: 5,
        end: 17,
        startLine: 3,
        endLine: 4,
        breadcrumb: ['A'],
        subtype: 'paragraph',
        text: 'A\nfirst\nsecond',
        readable: 'first\nsecond',
        length: 12,
      },
      {
        position: 1,
        start: 25,
        end: 30,
        startLine: 8,
        endLine: 8,
        breadcrumb: ['A', 'B'],
        subtype: 'paragraph',
        text: 'A > B\nthird',
        readable: 'third',
        length: 5,
      },
    ],
    warnings: [],
  });
});

test('CRLF or CR give the same lines as LF, with the offsets of the file', () => {
  expect(positions('# A\n\na\n\n# B\n\nb\nc\n')).toEqual([
    [5, 6, 3, 3],
    [13, 16, 7, 8],
  ]);
  expect(positions('# A\r\n\r\na\r\n\r\n# B\r\n\r\nb\r\nc\r\n')).toEqual([
    [7, 8, 3, 3],
    [19, 23, 7, 8],
  ]);
  expect(positions('# A\r\ra\r\r# B\r\rb\rc\r')).toEqual([
    [5, 6, 3, 3],
    [13, 16, 7, 8],
  ]);
});

test('a byte order mark shifts offsets, not lines, and is in no passage', () => {
  expect(positions('\uFEFFa\n\nb')).toEqual([[1, 5, 1, 3]]);
  expect(positions('\uFEFF# A\n\nb')).toEqual([[6, 7, 3, 3]]);
});

test('several byte order marks are in no passage', () => {
  expect(outline('\uFEFF\uFEFF# A\n\nb')).toEqual(['A: b']);
});

test('front matter, emoji and tabs shift no offset and no line', () => {
  const text = '---\ntitle: 😀\n---\n\n# 👩‍👩‍👧 A\n\n\t😀 b\n\n- c\td 日本\n';
  expect(outline(text)).toEqual(['😀 > 👩‍👩‍👧 A: \t😀 b\n\n- c\td 日本']);
  expect(positions(text)[0]?.slice(2)).toEqual([7, 9]);
});

test('the indentation of the first line is in the passage, surrounding blank lines are not', () => {
  expect(contents('\n \n    code\n\n\t\n# A\n\n   b  \n')).toEqual(['    code', '   b']);
});

test('a lone surrogate and NUL stay as they are', () => {
  expect(contents('a\uD83D b\0 \uDE00c')).toEqual(['a\uD83D b\0 \uDE00c']);
});

test('no embedded text has more tokens than the model reads', async () => {
  const countTokens = await loadCounter(path.resolve('models/waymark-docs-small-en'));
  const hard = [
    'x'.repeat(5000),
    `![a](data:image/png;base64,${'iVBORw0KGgo'.repeat(500)})`,
    '日本語の文章です。'.repeat(500),
    '👩‍👩‍👧'.repeat(300),
    'supercalifragilistic '.repeat(300),
    `| ${'a | '.repeat(40)}\n| ${'- | '.repeat(40)}\n${`| ${'antidisestablishmentarianism | '.repeat(20)}\n`.repeat(20)}`,
    `# ${'a heading without an end '.repeat(150)}\n\nbody`,
    `${'[reference]: https://example.com/a/b/c?d=e\n'.repeat(300)}`,
    `<!-- ${'comment, '.repeat(500)} -->`,
    `a${'\u0301'.repeat(9000)}`,
  ];
  for (const budget of [192, 10_000]) {
    for (const text of hard) {
      const { passages } = parseMarkdown(text, { budget, embedBreadcrumb: true, maxTokens: 512, countTokens });
      expect(Math.max(...passages.map((passage) => countTokens(passage.text)))).toBeLessThanOrEqual(512);
    }
  }
});

test('a heading in a quote is not the title of the file', () => {
  expect(parseMarkdown('> # A\n>\n> b c d\n\n# E\n\nf g h', options()).title).toBe('E');
  expect(parseMarkdown('> # A\n>\n> b c d', options({ fallbackTitle: 'e' })).title).toBe('e');
});
