import { expect, test } from 'vitest';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { contents, countWords, embedded, options } from '../markdown/counting.js';

/** A budget with which a passage has three words at least. */
const budget = 192;

test('a few words join what comes before them in their section, or else what comes after', () => {
  expect(contents('one two three four\n\n```\n}\n```', { budget })).toEqual(['one two three four\n\n```\n}\n```']);
  expect(contents('# A\n\nNote\n\none two three four', { budget })).toEqual(['Note\n\none two three four']);
});

test('a section of a few words is a passage with its heading', () => {
  expect(embedded('one two three\n\n# Test cases\n\nTBD', { budget })).toEqual([
    'Test cases\none two three',
    'Test cases\nTest cases\nTBD',
  ]);
});

test('a section of a few words, heading included, belongs to the passage above', () => {
  expect(contents('# A\n\none two three\n\n## Copyright\n\nCC0', { budget })).toEqual([
    'one two three\n\n## Copyright\n\nCC0',
  ]);
});

test('a heading of a few words with nothing below it belongs to the passage above', () => {
  expect(contents('# A\n\none two three\n\n## Rationale', { budget })).toEqual(['one two three\n\n## Rationale']);
});

test('a few words at the start of a file belong to the passage after them', () => {
  expect(contents('TBD\n\n# One two three\n\nfour five six', { budget })).toEqual([
    'TBD\n\n# One two three\n\nfour five six',
  ]);
});

test('a file of a few words is a passage', () => {
  expect(contents('TBD', { budget })).toEqual(['TBD']);
});

test('characters of a script without spaces count as words', () => {
  expect(contents('# 表\n\n表を見る\n\n# 次\n\n次を見る', { budget })).toEqual(['表を見る', '次を見る']);
});

test('a comment of any length next to a few words is in no passage', () => {
  const comment = `<!--\n${'not this\n'.repeat(1_000)}-->`;
  expect(contents(`one two three\n\n${comment}\n\n# TBD`, { budget })).toEqual(['one two three', '# TBD']);
});

test('parts that show nothing once they are joined form no passage, even if one alone shows marks', () => {
  const { passages } = parseMarkdown('***<script>'.repeat(2_000), options({ budget, maxTokens: 512 }));
  expect(passages.filter(({ text }) => text === '')).toEqual([]);
});

test.each(['\u00a0', '\u3000'])('a paragraph of blank characters (%j) adds nothing to a passage', (blank) => {
  expect(contents(`one two three\n\n# A\n\n${blank}\n`, { budget })).toEqual(['one two three\n\n# A']);
  expect(contents(`# A\n\none two three four\n\n## B\n\n${blank}\n\n`, { budget })).toEqual([
    'one two three four\n\n## B',
  ]);
});

test.each([
  ['headings', '# a\n'.repeat(4_000)],
  ['headings below long headings', `# ${'word '.repeat(80)}\n\n## ${'word '.repeat(80)}\n\n${'### a\n'.repeat(4_000)}`],
  ['scraps in a section', `# A\n\n${'a\n\n```\nb\n```\n\n'.repeat(1_000)}`],
])('a text of %s is not counted again for each scrap that joins a passage', (_, text) => {
  let counted = 0;
  const countTokens = (part: string) => {
    counted += part.length;
    return countWords(part);
  };
  parseMarkdown(text, options({ budget, maxTokens: 512, countTokens }));
  expect(counted).toBeLessThan(20 * text.length);
});
